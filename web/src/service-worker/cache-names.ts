/** What the page and its service worker both know by name, in the browser's caches. */

/** What a version of the page is kept under begins like this. */
export const PAGE = "preau-page-";
/** The page's own Python. */
export const PYTHON = "preau-python";
/** A file that another app has handed over. */
export const SHARED = "preau-shared";
/** An empty cache of such a name says that a version found no room; it is not fetched again until the user asks. */
export const FULL = "preau-full-";

/** Delete all caches whose names begin with one of these. */
export async function deleteCaches(...beginnings: string[]): Promise<void> {
  for (const name of await caches.keys())
    if (beginnings.some((beginning) => name.startsWith(beginning))) await caches.delete(name);
}
