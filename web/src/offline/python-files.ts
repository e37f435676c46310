/** The files of the page's own Python: where they are, and which of them are stored on this device. */
import { retry, fetchFile } from "../lib/net/retry";
import { PYTHON } from "../service-worker/cache-names";
import type { Bundle } from "./worker-messages";

/** Where the page's files are: this one is in a folder beside the list. */
const here = import.meta.url;
export const base = (): string => new URL("../", here).href;

let list: Promise<Bundle> | undefined;

/** The list of Python's files. It is fetched once. */
export function pythonList(): Promise<Bundle> {
  list ??= retry(() => fetchFile(`${base()}offline.json`)).then(async (response) => (await response.json()) as Bundle);
  list.catch(() => (list = undefined));
  return list;
}

/** The addresses of Python's files that are kept on this device; none, where the browser keeps nothing. */
export async function keptPython(): Promise<Set<string>> {
  try {
    if (!(await caches.has(PYTHON))) return new Set(); // to open it would make it
    return new Set((await (await caches.open(PYTHON)).keys()).map(({ url }) => url));
  } catch {
    return new Set();
  }
}
