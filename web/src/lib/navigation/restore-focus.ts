/** Restores the keyboard focus: a user who comes back to a page finds it where they left the page by a link. */

import { currentAddress } from "./address";

/** How to find an element again on a page that is rendered anew: a selector, and its number among the matches. */
interface Place {
  path: string;
  like: string;
  at: number;
}

const NAMES = ["id", "href", "data-action", "data-group", "data-spot", "data-card", "aria-label"];

/** The element that had the focus last, outside of dialogs: those close when the user leaves the page. */
let last: Element | null = null;
let left: Place | null = null;
let seeking: (() => void) | undefined;

/** Track which element has the focus, from now on. */
export function trackFocus(): void {
  for (const kind of ["focusin", "click"])
    addEventListener(kind, ({ target }) => {
      if (target instanceof Element && !target.closest("dialog"))
        last = target.closest("[tabindex], a, button") ?? target;
    });
}

/** Remember the link by which the user leaves this page. */
export function rememberFocus(link: Element): void {
  left = placeOf(link.closest("dialog") ? last : link);
}

/** The user is back: focus the link as soon as it is there again, unless the user has begun something else. */
export function restoreFocus(): void {
  seeking?.();
  const place = left?.path === currentAddress().path ? left : null;
  if (!place) return;
  left = null;
  const seek = (): void => {
    const found = document.querySelectorAll<HTMLElement>(place.like)[place.at];
    found?.focus();
    if (found && document.activeElement === found) seeking?.();
  };
  const watch = new MutationObserver(seek);
  watch.observe(document.body, { childList: true, subtree: true });
  const begun = ["keydown", "pointerdown"];
  const stop = (): void => {
    watch.disconnect();
    for (const kind of begun) removeEventListener(kind, stop);
    seeking = undefined;
  };
  for (const kind of begun) addEventListener(kind, stop);
  seeking = stop;
}

function placeOf(what: Element | null): Place | null {
  const name = NAMES.find((one) => what?.hasAttribute(one));
  if (!what || !name) return null;
  const like = `${what.localName}[${name}="${CSS.escape((what.getAttribute(name) ?? "").replace(/^#\//, "/"))}"]`;
  return { path: currentAddress().path, like, at: [...document.querySelectorAll(like)].indexOf(what) };
}
