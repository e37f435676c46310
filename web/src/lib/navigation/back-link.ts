/** The table, replay, lesson, puzzle or form that was looked at last, for the way back from the rules, the help and the settings. */
import { load, save } from "../device/store";

const KEY = "last";
const PLACES = /^\/(?:(?:t|replay|learn|new)\/[\w-]+|replay\/[\w-]+\/with\/[\w-]+|puzzles\/[\w-]+\/[\w-]+)(#[\w.]*)?$/;

/** What somebody had begun at a place, until they go home: half a form. */
const begun = new Map<string, unknown>();

/** Note where somebody is. At home one has left the table; elsewhere it may be returned to. Another tab knows, too. */
export function rememberPage(path: string, hash: string): void {
  if (PLACES.test(path)) save(KEY, hash ? `${path}#${hash}` : path);
  else if (path === "/") {
    save(KEY, "");
    begun.clear();
  }
}

/** Where the way back leads; nowhere if there is none. */
export function backLink(): string {
  const kept = load<string>(KEY, "");
  return typeof kept === "string" && PLACES.test(kept) ? kept : "";
}

type Ending = "table" | "replay" | "lesson" | "puzzle" | "form";
const ENDINGS: { readonly [first: string]: Ending } = { t: "table", learn: "lesson", puzzles: "puzzle", new: "form" };

/** What is at the end of it, for the words on the button. */
export function backLinkKind(to: string): Ending {
  return ENDINGS[to.split("/")[1] ?? ""] ?? "replay";
}

/** Leave something as it is at a place one may come back to. */
export function saveDraft(path: string, what: unknown): void {
  begun.set(path, what);
}

/** Take up what was left there. */
export function takeDraft<T>(path: string): T | undefined {
  return begun.get(path) as T | undefined;
}
