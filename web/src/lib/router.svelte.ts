import { comeBack, leaveBy, lookOut } from "./comeback";

/** The address, and moving about in it without loading the page anew. */
class Route {
  path = $state(location.pathname);
  hash = $state(location.hash.slice(1));

  /** The parts of the path: /t/abc is ["t", "abc"]. */
  get parts(): string[] {
    return this.path.split("/").filter(Boolean).map(decode);
  }

  read(): void {
    this.path = location.pathname;
    this.hash = location.hash.slice(1);
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
  if (how === "push") history.pushState(null, "", to);
  else history.replaceState(null, "", to);
  route.read();
  if (how !== "push" || location.hash) return;
  scrollTo(0, 0);
  document.getElementById("main")?.focus({ preventScroll: true }); // reading and tabbing begin anew with the screen
}

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
    const link = (event.target as Element).closest?.("a[href]");
    if (!(link instanceof HTMLAnchorElement) || link.target || link.download || link.origin !== location.origin) return;
    if (/^\/(api|static|docs)\//.test(link.pathname) || link.pathname === "/metrics") return;
    if (link.pathname === location.pathname && link.hash) return;
    event.preventDefault();
    const back = link.hasAttribute("data-way-back");
    if (!back) leaveBy(link);
    go(link.pathname + link.search + link.hash);
    if (back) comeBack();
  });
}
