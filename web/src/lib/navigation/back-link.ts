/** The link back from the rules, the help and the settings: to the last table, replay, lesson, puzzle or form. */
import { load, save } from "../device/local-storage";

const KEY = "last";
const PLACES = /^\/(?:(?:t|replay|learn|new)\/[\w-]+|replay\/[\w-]+\/with\/[\w-]+|puzzles\/[\w-]+\/[\w-]+)(#[\w.]*)?$/;

/** Forms that were begun and not sent, by the address of their page, until the user goes home. */
const begun = new Map<string, unknown>();

/** Remember the page that the user is on, also for other tabs. The home page forgets it: there the user has left the table. */
export function rememberPage(path: string, hash: string): void {
  if (PLACES.test(path)) save(KEY, hash ? `${path}#${hash}` : path);
  else if (path === "/") {
    save(KEY, "");
    begun.clear();
  }
}

/** The address to go back to; empty if there is none. */
export function backLink(): string {
  const kept = load<string>(KEY, "");
  return typeof kept === "string" && PLACES.test(kept) ? kept : "";
}

type Ending = "table" | "replay" | "lesson" | "puzzle" | "form";
const ENDINGS: { readonly [first: string]: Ending } = { t: "table", learn: "lesson", puzzles: "puzzle", new: "form" };

/** What that address is, for the words on the button. */
export function backLinkKind(to: string): Ending {
  return ENDINGS[to.split("/")[1] ?? ""] ?? "replay";
}

/** Save a form as it is, for when the user comes back. */
export function saveDraft(path: string, what: unknown): void {
  begun.set(path, what);
}

/** The form that was saved at an address. */
export function takeDraft<T>(path: string): T | undefined {
  return begun.get(path) as T | undefined;
}
