/** The table or replay that was looked at last, for the way back from the rules, the help and the settings. */
import { load, save } from "./store";

const KEY = "last";

/** Note where somebody is. At home one has left the table; elsewhere it may be returned to. Another tab knows, too. */
export function passBy(path: string, hash: string): void {
  if (/^\/(t|replay)\/./.test(path)) save(KEY, hash ? `${path}#${hash}` : path);
  else if (path === "/") save(KEY, "");
}

/** Where the way back leads; nowhere if there is none. */
export function wayBack(): string {
  const kept = load<string>(KEY, "");
  return typeof kept === "string" && /^\/(t|replay)\/[a-z0-9]+(#[\w.]*)?$/.test(kept) ? kept : "";
}
