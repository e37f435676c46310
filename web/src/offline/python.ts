/** Starts Python in a worker: fetches the bundle, telling how far that is, and puts our own files in their place. */
import type { Bundle } from "./messages";

/** As much of Pyodide as is used here. */
interface Pyodide {
  FS: { mkdirTree(path: string): void; writeFile(path: string, data: Uint8Array): void };
  pyimport(name: string): unknown;
}

interface Settings {
  indexURL: string;
  stdLibURL: string;
  lockFileContents: string;
  env: { [name: string]: string };
}

const PLACE = "/lib/python3.14/site-packages";

export async function startPython(
  bundle: Bundle,
  base: string,
  loading: (loaded: number, total: number) => void,
  compiled: string | undefined,
): Promise<Pyodide> {
  const at = (path: string) => new URL(path, base).href;
  // Scripts are not fetched but imported, and are a tenth of it all.
  const left = compiled ? undefined : bundle.compiled;
  const counted = bundle.files.filter(({ path }) => !path.endsWith(".mjs") && !(left && path.startsWith(left)));
  const total = counted.reduce((sum, { bytes }) => sum + bytes, 0);
  let loaded = 0;
  const plain = self.fetch.bind(self);
  /** Whoever asks for a file there is not told that it did not come, and waits. */
  let giveUp = (_: unknown) => undefined as void;
  const broken = new Promise<never>((_, reject) => (giveUp = reject));
  broken.catch(() => undefined);
  const packed = new Set(bundle.packed ? bundle.files.map(({ path }) => at(path)) : []);
  self.fetch = async (what, how) => {
    const address = what instanceof Request ? what.url : new URL(what, base).href;
    const name = packed.has(`${address}.gz`) ? `${address}.gz` : "";
    const response = await plain(name || what, how).catch((error: unknown) => {
      giveUp(error);
      throw error;
    });
    if (!response.ok) giveUp(new Error(`${response.url}: ${response.status}`));
    if (!response.ok || !response.body) return response;
    const counting = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, out) {
        loading((loaded += chunk.length), total);
        out.enqueue(chunk);
      },
    });
    const body = response.body.pipeThrough(counting);
    if (!name) return new Response(body, { headers: response.headers });
    const headers = { "Content-Type": address.endsWith(".wasm") ? "application/wasm" : "application/octet-stream" };
    const unpacked = response.headers.get("Content-Encoding") === "gzip"; // by the browser: some hosts say so by the name
    return new Response(unpacked ? body : body.pipeThrough<Uint8Array>(new DecompressionStream("gzip")), { headers });
  };
  loading(0, total);
  const ours = fetched(at(bundle.package));
  const more = compiled ? fetched(at(compiled)) : undefined;
  ours.catch(() => undefined); // what fails first is told
  more?.catch(() => undefined);
  const { loadPyodide } = (await import(/* @vite-ignore */ at(`${bundle.index}pyodide.mjs`))) as {
    loadPyodide(settings: Settings): Promise<Pyodide>;
  };
  const started = loadPyodide({
    indexURL: at(bundle.index),
    stdLibURL: at(bundle.stdlib),
    lockFileContents: JSON.stringify(bundle.lock),
    // all of our processes order sets alike, so that a bot that goes by such an order plays alike everywhere
    env: { PYTHONHASHSEED: "0", HOME: "/home/pyodide" },
  });
  const pyodide = await Promise.race([started, broken]);
  unpack(pyodide, await ours);
  if (more) unpack(pyodide, await more); // beside the plain ones, which Python then passes over
  self.fetch = plain;
  return pyodide;
}

async function fetched(address: string): Promise<Uint8Array> {
  const response = await self.fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

/** A line of JSON that names the files with their lengths, then the files one after the other. */
function unpack(pyodide: Pyodide, data: Uint8Array): void {
  const end = data.indexOf(10);
  let from = end + 1;
  for (const [name, length] of JSON.parse(new TextDecoder().decode(data.subarray(0, end))) as [string, number][]) {
    const path = `${PLACE}/${name}`;
    pyodide.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    pyodide.FS.writeFile(path, data.subarray(from, (from += length)));
  }
}
