/** Starts Python in a worker: fetches the bundle, telling how far that is, and puts our own files in their place. */
import { retry, BadResponse, retryAfter } from "../lib/net/retry";
import { keptPython } from "./python-files";
import type { Bundle } from "./worker-messages";
import { isUnpacked, unpacked } from "./unpack";

/** As much of Pyodide as is used here. */
interface Pyodide {
  FS: { mkdirTree(path: string): void; writeFile(path: string, data: Uint8Array, how: { canOwn: boolean }): void };
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
  const sizes = new Map(counted.map(({ path, bytes }) => [at(path), bytes]));
  const total = counted.reduce((sum, { bytes }) => sum + bytes, 0);
  const came = new Map<string, number>();
  const kept = await keptPython();
  /** Pyodide does not notice when a file fails to load, and would wait for ever. */
  let giveUp = (_: unknown) => undefined as void;
  const broken = new Promise<never>((_, reject) => (giveUp = reject));
  broken.catch(() => undefined);

  const count = (name: string, bytes: number) => {
    came.set(name, bytes);
    loading(
      [...came.values()].reduce((sum, bytes) => sum + bytes, 0),
      total,
    );
  };

  async function get(address: string): Promise<Response> {
    const name = bundle.packed ? `${address}.gz` : address;
    const response = await plain(name);
    if (!response.ok) throw new BadResponse(name, response.status, retryAfter(response));
    if (kept.has(name) && isWhole(name, response)) {
      count(name, sizes.get(name) ?? 0);
      return response; // untouched: only so a browser finds what it has compiled of it before
    }
    if (!response.body) return response;
    let read = 0;
    const counting = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, out) {
        count(name, (read += chunk.length));
        out.enqueue(chunk);
      },
    });
    return unpacked(name, response, response.body.pipeThrough(counting));
  }

  loading(0, total);
  const plain = self.fetch.bind(self);
  /** Compiled modules lie beside the plain ones, which Python then passes over. */
  const packages = [bundle.package, ...(compiled ? [compiled] : [])].map(at);
  const code = at(`${bundle.index}pyodide.asm.wasm`);
  // All at once: on a slow connection each would wait for the one before.
  const whole = (address: string) => retry(async () => new Response(await (await get(address)).arrayBuffer()));
  const coming = new Map([at(bundle.stdlib), ...packages].map((address) => [address, whole(address)]));
  coming.set(
    code,
    retry(() => get(code)),
  );
  const scripts = ["pyodide.mjs", "pyodide.asm.mjs"].map((name) =>
    retry(() => import(/* @vite-ignore */ at(bundle.index + name)) as Promise<unknown>),
  );
  for (const one of [...coming.values(), ...scripts]) (one as Promise<unknown>).catch(giveUp);
  // Pyodide warns when this fails, and then waits for ever.
  const { instantiateStreaming } = WebAssembly;
  const instantiate = (answer: Response | PromiseLike<Response>, imports?: WebAssembly.Imports) =>
    instantiateStreaming(answer, imports)
      .catch(async () => WebAssembly.instantiate(await (await whole(code)).arrayBuffer(), imports)) // broken off on its way
      .catch((error: unknown) => {
        giveUp(error);
        throw error;
      });
  Object.assign(WebAssembly, { instantiateStreaming: instantiate });
  self.fetch = (what, how) => coming.get(what instanceof Request ? what.url : String(what)) ?? plain(what, how);
  try {
    const [{ loadPyodide }] = (await Promise.race([Promise.all(scripts), broken])) as [
      { loadPyodide(settings: Settings): Promise<Pyodide> },
    ];
    const started = loadPyodide({
      indexURL: at(bundle.index),
      stdLibURL: at(bundle.stdlib),
      lockFileContents: JSON.stringify(bundle.lock),
      // all of our processes order sets alike, so that a bot that goes by such an order plays alike everywhere
      env: { PYTHONHASHSEED: "0", HOME: "/home/pyodide" },
    });
    const pyodide = await Promise.race([started, broken]);
    for (const address of packages) {
      const ours = await self.fetch(address);
      unpack(pyodide, new Uint8Array(await ours.arrayBuffer()));
    }
    return pyodide;
  } finally {
    self.fetch = plain;
    Object.assign(WebAssembly, { instantiateStreaming });
  }
}

/** Whether an answer is the file itself, as it is compiled and read. */
function isWhole(name: string, response: Response): boolean {
  if (!name.endsWith(".gz")) return true;
  return (
    isUnpacked(response) && (!name.includes(".wasm") || response.headers.get("Content-Type") === "application/wasm")
  );
}

/** A line of JSON that names the files with their lengths, then the files one after the other. */
function unpack(pyodide: Pyodide, data: Uint8Array): void {
  const end = data.indexOf(10);
  let from = end + 1;
  const folders = new Set<string>();
  for (const [name, length] of JSON.parse(new TextDecoder().decode(data.subarray(0, end))) as [string, number][]) {
    const path = `${PLACE}/${name}`;
    const folder = path.slice(0, path.lastIndexOf("/"));
    if (!folders.has(folder)) pyodide.FS.mkdirTree(folder);
    folders.add(folder);
    pyodide.FS.writeFile(path, data.subarray(from, (from += length)), { canOwn: true });
  }
}
