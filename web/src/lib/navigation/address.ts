/**
 * Where the page is: at a server, which answers for every address, or a site of files alone, anywhere on some host. There
 * the way to a screen stands behind a #, so that every address is that of a file.
 */
export const STATIC_SITE = document.documentElement.hasAttribute("data-site");

/** The screen in the address bar, and what stands behind its #. */
export function currentAddress(): { path: string; hash: string } {
  if (!STATIC_SITE) return { path: location.pathname, hash: location.hash.slice(1) };
  const [, path = "/", hash = ""] = /^#?([^#]*)#?(.*)$/.exec(location.hash) ?? [];
  return { path: path || "/", hash };
}

/** A way to a screen as an address in the page. */
export function hrefOf(to: string): string {
  return STATIC_SITE ? `${location.pathname}#${to}` : to;
}

/** The same for others. */
export function absoluteLink(to: string): string {
  return location.origin + hrefOf(to);
}
