/** What only a static site needs (address.ts). */
import { linkOf } from "./router.svelte";

/** Links are written for a server. Rewrite each one as soon as it is pointed at, before it can be opened in another window. */
export function fixLinks(): void {
  for (const sign of ["pointerover", "focusin"]) addEventListener(sign, (event) => mend(linkOf(event)));
}

function mend(link: HTMLAnchorElement | null): void {
  const written = link?.getAttribute("href") ?? "";
  if (/^\/(?!api\/)/.test(written)) link?.setAttribute("href", `#${written}`);
}

/** What browsers do themselves where only the part behind the # changes. */
export function scrollToName(name: string): void {
  const there = name ? document.getElementById(name) : null;
  there?.scrollIntoView();
  there?.focus({ preventScroll: true });
}
