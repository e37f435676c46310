/** Where on a page somebody was when they left it by a link: there reading goes on when they come back. */

import { currentAddress } from "./address";

/** What finds a thing again on a page that is drawn anew: what it is, and the how manieth of its like. */
interface Place {
  path: string;
  like: string;
  at: number;
}

const NAMES = ["id", "href", "data-action", "data-group", "data-spot", "data-card", "aria-label"];

/** What had the focus last, outside of dialogs: they close when one leaves. */
let last: Element | null = null;
let left: Place | null = null;
let seeking: (() => void) | undefined;

/** Know from now on what has the focus. */
export function trackFocus(): void {
  for (const kind of ["focusin", "click"])
    addEventListener(kind, ({ target }) => {
      if (target instanceof Element && !target.closest("dialog"))
        last = target.closest("[tabindex], a, button") ?? target;
    });
}

/** Somebody leaves this page by a link. */
export function rememberFocus(link: Element): void {
  left = placeOf(link.closest("dialog") ? last : link);
}

/** They have come back: once what they left by is there again, it has the focus, unless they have begun something else. */
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
