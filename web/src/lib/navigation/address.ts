/**
 * The address of the page. A server answers for every address. A static site, somewhere on a host, has only files: there
 * the path of a screen stands behind a #, so that every address is that of a file.
 */
export const STATIC_SITE = document.documentElement.hasAttribute("data-site");

/** The screen in the address bar, and what stands behind its #. */
export function currentAddress(): { path: string; hash: string } {
  if (!STATIC_SITE) return { path: location.pathname, hash: location.hash.slice(1) };
  const [, path = "/", hash = ""] = /^#?([^#]*)#?(.*)$/.exec(location.hash) ?? [];
  return { path: path || "/", hash };
}

/** The `href` of a path to a screen. */
export function hrefOf(to: string): string {
  return STATIC_SITE ? `${location.pathname}#${to}` : to;
}

/** A link to a screen that works on other devices. */
export function absoluteLink(to: string): string {
  return location.origin + hrefOf(to);
}
