/**
 * Loads a chunk of the page when it is first needed: its files, each tried up to four times, and then its script. The
 * build puts this in the place of Vite's own helper (vite.config.ts), which tries each file once.
 */
import { retry, fetchFile } from "./retry";

/** Files that are here or on their way; this script is here. */
const files = new Map<string, Promise<unknown>>([[import.meta.url, Promise.resolve()]]);
/** A script has failed although its files are here: only loading the whole page again may help. */
let stuck = false;

/** The build calls this for every `import()`, with all files that the chunk needs. */
export async function loadChunk<T>(load: () => Promise<T>, needs: readonly string[] = [], base = ""): Promise<T> {
  await Promise.all(needs.map((file) => needed(new URL(file, base).href)));
  try {
    return await load();
  } catch (error) {
    stuck = true;
    throw error;
  }
}
export { loadChunk as __vitePreload };

/** Try again what could not be loaded, or reload the page where only that may help. */
export function retryOrReload(retry: () => void): void {
  if (stuck) location.reload();
  else retry();
}

function needed(address: string): Promise<unknown> {
  let file = files.get(address);
  if (!file) {
    file = retry(() => (address.endsWith(".css") ? addStyle(address) : fetchScript(address)));
    file.catch(() => files.delete(address));
    files.set(address, file);
  }
  return file;
}

/**
 * Have the browser cache a script, from where it is imported. Many browsers never ask again for a script whose import has
 * failed (Chromium before 156, Firefox before 154, Safari), so it is not imported before it is here.
 */
async function fetchScript(address: string): Promise<void> {
  await (await fetchFile(address)).arrayBuffer();
}

function addStyle(address: string): Promise<void> {
  if ([...document.styleSheets].some((sheet) => sheet.href === address && hasRules(sheet))) return Promise.resolve();
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", crossOrigin: "", href: address });
  return new Promise((resolve, reject) => {
    link.onload = () => resolve();
    link.onerror = () => {
      link.remove();
      reject(new Error(`${address} has not come`));
    };
    document.head.append(link);
  });
}

/** Whether a style sheet is here: for one that has failed browsers have an empty one, or one that cannot be read. */
function hasRules(sheet: CSSStyleSheet): boolean {
  try {
    return sheet.cssRules.length > 0;
  } catch {
    return false;
  }
}
