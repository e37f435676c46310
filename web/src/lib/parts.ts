/**
 * Loads a part of the page when it is first needed: its style sheets, then its script, each tried up to four times. The
 * build puts this in the place of Vite's own helper (vite.config.ts), which tries a style sheet once for good and then
 * shows the part without it.
 */
import { again } from "./again";

/** Style sheets that are here or on their way. */
const sheets = new Map<string, Promise<void>>();
const preloaded = new Set<string>();

/** What the build calls for every `import()`, with all files that the part needs. */
export async function loadPart<T>(load: () => Promise<T>, files: readonly string[] = [], base = ""): Promise<T> {
  const addresses = files.map((file) => new URL(file, base).href);
  const styled = Promise.all(addresses.filter(isStyle).map(styleSheet));
  styled.catch(() => undefined); // the script may fail first
  for (const address of addresses) if (!isStyle(address)) preload(address);
  const part = await again(load);
  await styled;
  return part;
}
export { loadPart as __vitePreload };

/** Load again those style sheets of the first page that have not come. */
export function mendStyles(): void {
  for (const link of document.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]"))
    if (!hasRules(link.sheet)) void again(() => addStyle(link.href)).catch(() => undefined);
}

const isStyle = (address: string) => address.endsWith(".css");

function styleSheet(address: string): Promise<void> {
  let sheet = sheets.get(address);
  if (!sheet) {
    sheet = again(() => addStyle(address));
    sheet.catch(() => sheets.delete(address));
    sheets.set(address, sheet);
  }
  return sheet;
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
function hasRules(sheet: CSSStyleSheet | null): boolean {
  try {
    return !!sheet && sheet.cssRules.length > 0;
  } catch {
    return false;
  }
}

/** Have a script fetched beside the one that imports it. That it fails shows there. */
function preload(address: string): void {
  if (preloaded.has(address)) return;
  preloaded.add(address);
  document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href: address }));
}
