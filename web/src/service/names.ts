/** What the page and its service worker both know by name, in the browser's caches. */

/** What a version of the page is kept under begins like this. */
export const PAGE = "preau-page-";
/** The page's own Python. */
export const PYTHON = "preau-python";
/** A file that another app has handed over. */
export const SHARED = "preau-shared";
