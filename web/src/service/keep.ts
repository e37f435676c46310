/**
 * Keeps the page on the device, so that it opens without a line. One version at a time: it is fetched whole before it is
 * used, and the one before it stays until the next, for windows that still show it. The page's own Python is kept once
 * somebody has needed it or wished for it; its files are named after their contents, and versions share them.
 */
import type { Bundle } from "../offline/messages";
import { unpacked } from "../offline/unpack";
import { PAGE, PYTHON, SHARED } from "./names";

/** All files of the page but the first and its Python; the build writes them here. */
declare const FILES: readonly string[];
/** Changes with the first page and with Python; whoever serves this script writes it here. */
const VERSION = "%VERSION%";

const LIST = "offline.json";
/** What is never kept. */
const OTHERS = /^(?:api|docs)\/|^metrics$/;

/** What the page may say to the service worker. */
export type Wish = "take over" | "keep python" | "forget python";
/** What the service worker says to the page: how much of Python is here; all of it is 1, and -1 means that it does not come. */
export interface Told {
  python: number;
}

/** What is used of a service worker beside hearing calls. */
export interface Keeper {
  registration: { scope: string };
  clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(kind: string, hear: (event: Event) => void): void;
}

interface Event {
  request?: Request;
  data?: unknown;
  source?: { postMessage(told: Told): void } | null;
  waitUntil(work: Promise<unknown>): void;
  respondWith(answer: Promise<Response>): void;
}

export function keepPage(worker: Keeper): void {
  const kept = new Kept(worker.registration.scope);
  worker.addEventListener("install", (event) => event.waitUntil(kept.fetchAll()));
  worker.addEventListener("activate", (event) => event.waitUntil(kept.tidy().then(() => worker.clients.claim())));
  worker.addEventListener("message", (event) => {
    const { source } = event;
    const tell = (python: number) => source?.postMessage({ python });
    if (event.data === ("take over" satisfies Wish)) event.waitUntil(worker.skipWaiting());
    if (event.data === ("forget python" satisfies Wish)) event.waitUntil(caches.delete(PYTHON).then(() => tell(0)));
    if (event.data === ("keep python" satisfies Wish))
      event.waitUntil(
        kept.fetchPython(tell).then(
          () => tell(1),
          () => tell(-1),
        ),
      );
  });
  worker.addEventListener("fetch", (event) => {
    const answer = event.request && kept.answer(event.request, (work) => event.waitUntil(work));
    if (answer) event.respondWith(answer);
  });
}

/** What is kept, and how it is fetched and found. `scope` is where the page begins. */
export class Kept {
  private readonly files: string;

  constructor(
    private readonly scope: string,
    private readonly names: readonly string[] = FILES,
    private readonly version = VERSION,
  ) {
    this.files = new URL("static/", scope).href;
  }

  /** Fetch this version, all of it or nothing; whoever has Python gets the new one with it. */
  async fetchAll(): Promise<void> {
    const cache = await caches.open(PAGE + this.version);
    const addresses = [this.scope, ...this.names.map((name) => this.files + name)];
    try {
      await inTurn(addresses, async (address) => cache.put(address, await fetched(address, "reload")));
      const list = await fetch(this.files + LIST, { cache: "reload" });
      if (list.ok) await cache.put(this.files + LIST, list); // a page can be built without games on the device
      if (list.ok && (await caches.has(PYTHON))) await this.fetchPython(() => undefined);
    } catch (error) {
      await caches.delete(PAGE + this.version);
      throw error;
    }
  }

  /** Fetch what is missing of Python, and say how far that is. */
  async fetchPython(tell: (part: number) => void): Promise<void> {
    const wanted = await this.python(this.version);
    if (wanted.size === 0) throw new Error("there is no Python here");
    const cache = await caches.open(PYTHON);
    const total = [...wanted.values()].reduce((sum, bytes) => sum + bytes, 0);
    let here = 0;
    for (const [address, bytes] of wanted) {
      if (!(await cache.match(address, ANY)))
        await cache.put(address, ready(address, await fetched(address, "default")));
      tell(Math.min(0.999, (here += bytes) / total));
    }
  }

  /** Forget versions before the last one, and what only they needed of Python. */
  async tidy(): Promise<void> {
    const versions = (await caches.keys()).filter((name) => name.startsWith(PAGE));
    for (const name of versions.filter((name) => name !== PAGE + this.version).slice(0, -1)) await caches.delete(name);
    if (!(await caches.has(PYTHON))) return;
    const needed = new Set<string>();
    for (const name of versions)
      for (const address of (await this.python(name.slice(PAGE.length))).keys()) needed.add(address);
    const cache = await caches.open(PYTHON);
    for (const request of await cache.keys()) if (!needed.has(request.url)) await cache.delete(request);
  }

  /** The files of a version's Python with their sizes. */
  private async python(version: string): Promise<Map<string, number>> {
    const found = (await caches.has(PAGE + version))
      ? await (await caches.open(PAGE + version)).match(this.files + LIST, ANY)
      : undefined;
    const bundle = (await found?.json().catch(() => undefined)) as Bundle | undefined;
    return new Map((bundle?.files ?? []).map(({ path, bytes }) => [this.files + path, bytes]));
  }

  /** Answer for what is kept; nothing, where the server is meant. */
  answer(request: Request, later: (work: Promise<unknown>) => void): Promise<Response> | undefined {
    const url = new URL(request.url);
    if (!url.href.startsWith(this.scope)) return undefined;
    const path = url.pathname.slice(new URL(this.scope).pathname.length);
    if (request.method === "POST" && path === "share") return this.receive(request);
    if (request.method !== "GET" || OTHERS.test(path)) return undefined;
    if (request.mode === "navigate") return path.includes(".") ? undefined : this.find(this.scope, request);
    if (!url.href.startsWith(this.files)) return undefined;
    return this.find(url.href, request, path.startsWith("static/assets/offline/") ? later : undefined);
  }

  /** From here, or from the line; what is of Python stays for the next time. */
  private async find(address: string, request: Request, later?: (work: Promise<unknown>) => void): Promise<Response> {
    const own = await (await caches.open(PAGE + this.version)).match(address, ANY);
    const found = own ?? (await caches.match(address, ANY));
    if (found) return found;
    const response = await fetch(request);
    if (later && response.ok) {
      const copy = response.clone();
      later(
        caches
          .open(PYTHON)
          .then((cache) => cache.put(address, ready(address, copy)))
          .catch(() => undefined),
      ); // there may be no room
    }
    return response;
  }

  /** A file that another app has handed over: the page finds it here. */
  private async receive(request: Request): Promise<Response> {
    const file = (await request.formData()).get("record");
    if (file instanceof Blob) await (await caches.open(SHARED)).put(this.scope, new Response(file));
    return Response.redirect(`${this.scope}?shared`, 303);
  }
}

/** Whatever language or packing it was fetched in. */
const ANY = { ignoreVary: true };
/** How many files are fetched at a time. */
const AT_ONCE = 6;

/** A file of Python as it is kept: unpacked, so that it need not be at every start, and browsers keep with it what they compile. */
function ready(address: string, response: Response): Response {
  return address.endsWith(".gz") && response.body ? unpacked(address, response, response.body) : response;
}

async function fetched(address: string, how: RequestCache): Promise<Response> {
  const response = await fetch(address, { cache: how });
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  return response;
}

async function inTurn<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const rest = [...all];
  const hands = Array.from({ length: AT_ONCE }, async () => {
    for (let one = rest.shift(); one !== undefined; one = rest.shift()) await work(one);
  });
  await Promise.all(hands);
}
