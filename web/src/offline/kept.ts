import { PYTHON } from "../service/names";

/** The addresses of Python's files that are kept on this device; none, where the browser keeps nothing. */
export async function keptPython(): Promise<Set<string>> {
  try {
    if (!(await caches.has(PYTHON))) return new Set(); // to open it would make it
    return new Set((await (await caches.open(PYTHON)).keys()).map(({ url }) => url));
  } catch {
    return new Set();
  }
}
