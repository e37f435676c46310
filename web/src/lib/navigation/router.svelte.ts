import { restoreFocus, rememberFocus, trackFocus } from "./restore-focus";
import { STATIC_SITE, hrefOf, currentAddress } from "./address";

/** The address, and moving about in it without loading the page anew. */
class Route {
  path = $state(currentAddress().path);
  hash = $state(currentAddress().hash);

  /** The parts of the path: /t/abc is ["t", "abc"]. */
  get parts(): string[] {
    return this.path.split("/").filter(Boolean).map(decode);
  }

  read(): void {
    ({ path: this.path, hash: this.hash } = currentAddress());
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
  if (how === "push") history.pushState(null, "", hrefOf(to));
  else history.replaceState(null, "", hrefOf(to));
  route.read();
  if (how !== "push" || route.hash) return;
  scrollTo(0, 0);
  document.getElementById("main")?.focus({ preventScroll: true }); // reading and tabbing begin anew with the screen
}

/** What a link leads to in this page; null if it leads elsewhere. */
function screenOf(link: HTMLAnchorElement): string | null {
  if (link.target || link.download || link.origin !== location.origin) return null;
  if (STATIC_SITE) {
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
  trackFocus();
  addEventListener("popstate", () => {
    route.read();
    restoreFocus();
  });
  addEventListener("hashchange", () => route.read());
  addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const link = linkOf(event);
    const to = link && screenOf(link);
    if (!link || to === null) return;
    event.preventDefault();
    const back = link.hasAttribute("data-way-back");
    if (!back) rememberFocus(link);
    go(to);
    if (back) restoreFocus();
    if (STATIC_SITE)
      import("./static-site").then(({ scrollToName }) => scrollToName(route.hash)).catch(() => undefined);
  });
  if (STATIC_SITE) import("./static-site").then(({ fixLinks }) => fixLinks()).catch(() => undefined);
}
