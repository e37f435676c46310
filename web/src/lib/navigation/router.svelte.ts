import { comeBack, leaveBy, lookOut } from "./restore-focus";
import { SITE, wayTo, whereabouts } from "./address";

/** The address, and moving about in it without loading the page anew. */
class Route {
  path = $state(whereabouts().path);
  hash = $state(whereabouts().hash);

  /** The parts of the path: /t/abc is ["t", "abc"]. */
  get parts(): string[] {
    return this.path.split("/").filter(Boolean).map(decode);
  }

  read(): void {
    ({ path: this.path, hash: this.hash } = whereabouts());
  }
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export const route = new Route();

export function go(to: string, how: "push" | "replace" = "push"): void {
  if (how === "push") history.pushState(null, "", wayTo(to));
  else history.replaceState(null, "", wayTo(to));
  route.read();
  if (how !== "push" || route.hash) return;
  scrollTo(0, 0);
  document.getElementById("main")?.focus({ preventScroll: true }); // reading and tabbing begin anew with the screen
}

/** What a link leads to in this page; null if it leads elsewhere. */
function screenOf(link: HTMLAnchorElement): string | null {
  if (link.target || link.download || link.origin !== location.origin) return null;
  if (SITE) {
    const written = link.getAttribute("href") ?? "";
    if (/^#?\//.test(written)) return written.replace("#", "");
    return written.startsWith("#") ? route.path + written : null;
  }
  if (/^\/(api|static|docs)\//.test(link.pathname) || link.pathname === "/metrics") return null;
  if (link.pathname === location.pathname && link.hash) return null;
  return link.pathname + link.search + link.hash;
}

export const linkOf = ({ target }: Event): HTMLAnchorElement | null =>
  (target as Element).closest?.<HTMLAnchorElement>("a[href]") ?? null;

/** Let the browser's buttons and every plain link to an own page go through `go`. */
export function follow(): void {
  lookOut();
  addEventListener("popstate", () => {
    route.read();
    comeBack();
  });
  addEventListener("hashchange", () => route.read());
  addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const link = linkOf(event);
    const to = link && screenOf(link);
    if (!link || to === null) return;
    event.preventDefault();
    const back = link.hasAttribute("data-way-back");
    if (!back) leaveBy(link);
    go(to);
    if (back) comeBack();
    if (SITE) import("./static-site").then(({ jump }) => jump(route.hash)).catch(() => undefined);
  });
  if (SITE) import("./static-site").then(({ mendLinks }) => mendLinks()).catch(() => undefined);
}
