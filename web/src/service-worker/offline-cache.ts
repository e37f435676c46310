/**
 * Stores the page on the device, so that it opens and plays without a connection.
 *
 * The worker installs at once and with nothing. The page then asks it to keep the page (`keep page`) or the page with its
 * Python (`keep all`), and asks again after a failure and on the next visit (lib/device/offline-cache.svelte.ts). A page of another version
 * may never ask: the worker keeps its own version also when it answers with another one.
 *
 * - Few requests: the first page, one archive with all other files of the page (PACK), the list of Python's files, and
 *   those five or six files. Two at a time, each tried up to four times, as late as Retry-After says.
 * - Resumable: archive and Python's files are named after their contents. What is here is not fetched again.
 * - Verified: every file is stored only if its SHA-256 is the listed one, and the first page only if all files that it
 *   names are in the archive.
 * - Whole: the first page is stored last, so a version that has its first page is complete. Answers come from this worker's
 *   version if it is complete, else from the newest complete version, else from the network; never from a mix. Files in
 *   `assets` are named after their contents and may come from any version.
 *
 * The version before stays, for windows that still show it. Python's files are kept apart, and versions share them.
 */
import { retry, BadResponse, fetchFile } from "../lib/net/retry";
import type { Bundle, BundleFile } from "../offline/worker-messages";
import { isUnpacked, unpacked } from "../offline/unpack";
import { deleteCaches, FULL, PAGE, PYTHON, SHARED } from "./cache-names";

/** The archive: its address beside the page, its length and its SHA-256. */
export interface Archive {
  path: string;
  bytes: number;
  sha256: string;
}

/** The build writes it here. */
declare const PACK: Archive;
/** Changes with the first page and with Python; what serves this script writes it here. */
const VERSION = "%VERSION%";

const LIST = "offline.json";
/** Addresses that the server answers itself. */
const OTHERS = /^(?:api|docs)\/|^metrics$/;
/** How many files are fetched at a time: few, so that the page itself has most of a slow connection. */
const AT_ONCE = 2;
/** Milliseconds without an answer or a byte after which a file is asked for again. */
const STALLED = 30_000;

/** What the page may ask of the service worker. */
export type CacheRequest = "take over" | "keep page" | "keep all" | "forget";

/**
 * Why something is not kept: no connection, a busy server, another answer, damaged contents, no room, a browser that is set
 * to keep nothing, or no Python there.
 */
export type CacheFailure = "connection" | "busy" | "answer" | "damaged" | "room" | "blocked" | "none";

/** What the service worker tells all windows about its version. */
export interface CacheStatus {
  /** The page is kept. */
  page: boolean;
  /** Games on this device are kept, too. */
  python: boolean;
  /** The share of all that is wanted which is here, from 0 to 1, and how many bytes that is to load. */
  part: number;
  bytes: number;
  /** It is under way. */
  busy: boolean;
  /** Why it has stopped, and after how many seconds the server wants to be asked again. */
  why?: CacheFailure;
  seconds?: number;
  /** This version has become complete now, and there was one before. */
  renewed?: boolean;
}

/** What is used of a service worker, apart from push messages. */
export interface CacheWorker {
  registration: { scope: string };
  clients: {
    claim(): Promise<void>;
    matchAll(which: { includeUncontrolled: true }): Promise<readonly { postMessage(told: CacheStatus): void }[]>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(kind: string, hear: (event: Event) => void): void;
}

interface Event {
  request?: Request;
  data?: unknown;
  ports?: readonly { postMessage(done: null): void }[];
  waitUntil(work: Promise<unknown>): void;
  respondWith(answer: Promise<Response>): void;
}

export function serveOfflineCache(worker: CacheWorker): void {
  const tell = async (told: CacheStatus) => {
    for (const window of await worker.clients.matchAll({ includeUncontrolled: true })) window.postMessage(told);
  };
  const cache = new OfflineCache(worker.registration.scope, (told) => void tell(told));
  worker.addEventListener("activate", (event) => event.waitUntil(cache.tidy().then(() => worker.clients.claim())));
  worker.addEventListener("message", (event) => {
    const wish = event.data as CacheRequest;
    if (wish === "take over") event.waitUntil(worker.skipWaiting());
    if (wish === "keep page" || wish === "keep all") event.waitUntil(cache.keep(wish === "keep all"));
    if (wish === "forget") event.waitUntil(cache.forget().then(() => event.ports?.[0]?.postMessage(null)));
  });
  worker.addEventListener("fetch", (event) => {
    const answer = event.request && cache.answer(event.request, (work) => event.waitUntil(work));
    if (answer) event.respondWith(answer);
  });
}

/** A file whose contents are not what they should be. */
class Damaged extends Error {}
/** The page was built without Python. */
class NoPython extends Error {}

/** What is kept, and how it is fetched and found. `scope` is where the page begins. */
export class OfflineCache {
  private readonly files: string;
  private job: Promise<void> | undefined;
  private wantsPython = false;
  /** Ends what is under way. */
  private stop = new AbortController();

  constructor(
    private readonly scope: string,
    private readonly tell: (told: CacheStatus) => void,
    private readonly pack: Archive = PACK,
    private readonly version = VERSION,
  ) {
    this.files = new URL("static/", scope).href;
  }

  // Keeping ------------------------------------------------------------------------------------------------------------

  /** Fetch what is missing of this version, and of Python if that is wanted or was kept before. Never rejects. */
  keep(python: boolean): Promise<void> {
    this.wantsPython ||= python;
    this.job ??= this.work(this.stop.signal);
    return this.job;
  }

  /** Keep nothing any more. What is under way writes nothing afterwards. */
  async forget(): Promise<void> {
    this.stop.abort();
    this.stop = new AbortController();
    this.job = undefined;
    this.wantsPython = false;
    await deleteCaches(PAGE, PYTHON, FULL);
    this.tell({ page: false, python: false, part: 0, bytes: 0, busy: false });
  }

  /** Fill again if Python has been asked for meanwhile. */
  private async work(stop: AbortSignal): Promise<void> {
    let python: boolean;
    do {
      python = this.wantsPython;
      await this.fill(python, stop);
    } while (!stop.aborted && this.wantsPython !== python);
    if (stop.aborted) return; // the next job may be under way
    this.job = undefined;
    this.wantsPython = false;
  }

  private async fill(asked: boolean, stop: AbortSignal): Promise<void> {
    const tell = (told: CacheStatus) => stop.aborted || this.tell(told);
    const before = await this.complete(this.version);
    const meter = new Meter((part, bytes) => tell({ page: before, python: false, part, bytes, busy: true }));
    try {
      const list = await this.fetchList(stop);
      const python = asked || (await caches.has(PYTHON));
      if (!before) meter.add(this.pack.path, this.pack.bytes);
      const missing = python ? await this.missing(list) : [];
      for (const file of missing) meter.add(file.path, list?.packed ? file.bytes : file.brotli);
      if (meter.total > 0 && (await caches.has(FULL + this.version)))
        throw new DOMException("there was no room before", "QuotaExceededError");
      meter.show();
      if (!before) await this.fetchPage(meter, stop);
      await inTurn(missing, (file) => this.fetchPython(file, meter, stop));
      if (python && !list) throw new NoPython("this page has no Python");
      const renewed = !before && (await this.versions()).length > 1;
      tell({ ...(await this.status()), part: 1, bytes: meter.total, busy: false, renewed });
    } catch (error) {
      if (stop.aborted) return;
      console.info(error);
      const why = whyOf(error);
      if (why === "room") await caches.open(FULL + this.version).catch(() => undefined);
      const seconds = error instanceof BadResponse ? error.seconds : 0;
      const status = await this.status().catch(() => ({ page: false, python: false })); // a browser may keep nothing
      tell({ ...status, part: meter.part, bytes: meter.total, busy: false, why, seconds });
    }
  }

  /** What of this version is here. */
  private async status(): Promise<{ page: boolean; python: boolean }> {
    const list = await this.list(this.version);
    return { page: await this.complete(this.version), python: !!list && (await this.missing(list)).length === 0 };
  }

  /** Fetch the archive and the first page, and store what is in them; the first page last. */
  private async fetchPage(meter: Meter, stop: AbortSignal): Promise<void> {
    const { path, bytes, sha256 } = this.pack;
    const first = retry(() => fetchWhole(this.scope, { cache: "reload" }, stop));
    first.catch(() => undefined); // the archive may fail before
    const { inside, headers } = await retry(async () => {
      const how = { cache: "no-store", priority: "low" } as const;
      const here = (read: number) => meter.set(path, read / bytes);
      const { response, data } = await fetchWhole(this.files + path, how, stop, here);
      await verify(path, data, sha256);
      return { inside: unpack(await unzipped(data)), headers: response.headers };
    });
    const front = await first;
    const named = [...new TextDecoder().decode(front.data).matchAll(/static\/(assets\/[\w.-]+)/g)];
    for (const [, name = ""] of named) if (!inside.has(name)) throw new Damaged(`${name} is not in the archive`);
    const cache = PAGE + this.version;
    for (const [name, content] of inside)
      await store(cache, this.files + name, answerWith(name, content, headers), stop);
    await store(cache, this.scope, new Response(front.data, { headers: front.response.headers }), stop);
  }

  /** Fetch a file of Python and store it unpacked, so that browsers keep with it what they compile. */
  private async fetchPython(file: BundleFile, meter: Meter, stop: AbortSignal): Promise<void> {
    const address = this.files + file.path;
    const plain = await retry(async (tries) => {
      const how = { cache: tries > 0 ? "reload" : "default", priority: "low" } as const;
      const here = (read: number) => meter.set(file.path, read / file.bytes);
      const { response, data } = await fetchWhole(address, how, stop, here);
      return this.verified(file, response, data);
    });
    await store(PYTHON, address, plain, stop);
  }

  /** A file of Python as it is stored. */
  private async verified(file: BundleFile, response: Response, data: Bytes): Promise<Response> {
    const address = this.files + file.path;
    const plain = address.endsWith(".gz") && !isUnpacked(response) ? await unzipped(data) : data;
    await verify(file.path, plain, file.sha256);
    const { headers } = address.endsWith(".gz") ? unpacked(address, response, new Blob([]).stream()) : response;
    return new Response(plain, { headers });
  }

  /** The list of Python's files, stored with this version; nothing, if the page has none. */
  private async fetchList(stop: AbortSignal): Promise<Bundle | undefined> {
    const known = await this.list(this.version);
    if (known) return known;
    try {
      const { response, data } = await retry(() => fetchWhole(this.files + LIST, { cache: "reload" }, stop));
      await store(PAGE + this.version, this.files + LIST, new Response(data, { headers: response.headers }), stop);
    } catch (error) {
      if (!(error instanceof BadResponse) || error.status !== 404) throw error;
    }
    return this.list(this.version);
  }

  /** The files of Python that are not here. */
  private async missing(list: Bundle | undefined): Promise<BundleFile[]> {
    const all = list?.files ?? [];
    const here = await Promise.all(
      all.map(({ path }) => caches.match(this.files + path, { ...ANY, cacheName: PYTHON })),
    );
    return all.filter((_, at) => !here[at]);
  }

  // Versions -----------------------------------------------------------------------------------------------------------

  private async list(version: string): Promise<Bundle | undefined> {
    const found = await caches.match(this.files + LIST, { ...ANY, cacheName: PAGE + version });
    return (await found?.json().catch(() => undefined)) as Bundle | undefined;
  }

  private async complete(version: string): Promise<boolean> {
    return !!(await caches.match(this.scope, { ...ANY, cacheName: PAGE + version }));
  }

  /** All complete versions, the oldest first. */
  private async versions(): Promise<string[]> {
    const names = (await caches.keys()).filter((name) => name.startsWith(PAGE)).map((name) => name.slice(PAGE.length));
    const complete = await Promise.all(names.map((name) => this.complete(name)));
    return names.filter((_, at) => complete[at]);
  }

  /** The version that answers: this one, or the newest complete one. */
  private async serving(): Promise<string | undefined> {
    return (await this.complete(this.version)) ? this.version : (await this.versions()).at(-1);
  }

  /** Forget all versions but this and the newest complete one before it, and what only they needed of Python. */
  async tidy(): Promise<void> {
    const before = (await this.versions()).filter((version) => version !== this.version).at(-1);
    const stay = [this.version, ...(before === undefined ? [] : [before])];
    for (const name of await caches.keys())
      if (name.startsWith(PAGE) && !stay.includes(name.slice(PAGE.length))) await caches.delete(name);
      else if (name.startsWith(FULL) && name !== FULL + this.version) await caches.delete(name);
    if (!(await caches.has(PYTHON))) return;
    const lists = await Promise.all(stay.map((version) => this.list(version)));
    const needed = new Set(lists.flatMap((list) => list?.files ?? []).map(({ path }) => this.files + path));
    const cache = await caches.open(PYTHON);
    for (const request of await cache.keys()) if (!needed.has(request.url)) await cache.delete(request);
  }

  // Answering ----------------------------------------------------------------------------------------------------------

  /** Answer for what is kept; nothing, where the server is meant. */
  answer(request: Request, later: (work: Promise<unknown>) => void): Promise<Response> | undefined {
    const url = new URL(request.url);
    if (!url.href.startsWith(this.scope)) return undefined;
    const path = url.pathname.slice(new URL(this.scope).pathname.length);
    if (request.method === "POST" && path === "share") return this.receive(request);
    if (request.method !== "GET" || OTHERS.test(path)) return undefined;
    if (request.mode === "navigate") return path.includes(".") ? undefined : this.find(this.scope, request, later);
    if (!url.href.startsWith(this.files)) return undefined;
    return this.find(url.origin + url.pathname, request, later);
  }

  /**
   * From here, or from the network; a file of Python that comes that way is kept. A screen of another version has this
   * version kept, because its page may not ask for it.
   */
  private async find(address: string, request: Request, later: (work: Promise<unknown>) => void): Promise<Response> {
    const named = address.startsWith(`${this.files}assets/`);
    const version = named ? undefined : await this.serving();
    const found = named
      ? await caches.match(address, ANY)
      : version !== undefined && (await caches.match(address, { ...ANY, cacheName: PAGE + version }));
    if (found && address === this.scope && version !== this.version) later(this.keep(false));
    if (found) return found;
    const response = await fetch(request);
    if (response.ok && address.startsWith(`${this.files}assets/offline/`))
      later(this.keepPassing(address, response.clone(), this.stop.signal).catch(() => undefined)); // there may be no room
    return response;
  }

  private async keepPassing(address: string, response: Response, stop: AbortSignal): Promise<void> {
    const file = (await this.list(this.version))?.files.find(({ path }) => this.files + path === address);
    if (!file) return;
    const data = new Uint8Array(await response.arrayBuffer());
    await store(PYTHON, address, await this.verified(file, response, data), stop);
  }

  /** A file that another app has handed over: the page finds it here. */
  private async receive(request: Request): Promise<Response> {
    const file = (await request.formData()).get("record");
    if (file instanceof Blob) await (await caches.open(SHARED)).put(this.scope, new Response(file));
    return Response.redirect(`${this.scope}?shared`, 303);
  }
}

/** How much of several files is here, weighted by what each takes to load; told at every whole per cent. */
class Meter {
  private readonly weights = new Map<string, number>();
  private readonly here = new Map<string, number>();
  private told = -1;

  constructor(private readonly tell: (part: number, bytes: number) => void) {}

  add(file: string, weight: number): void {
    this.weights.set(file, weight);
  }

  set(file: string, part: number): void {
    this.here.set(file, Math.min(1, part));
    this.show();
  }

  show(): void {
    const percent = Math.floor(this.part * 100);
    if (percent !== this.told) this.tell(this.part, this.total);
    this.told = percent;
  }

  get total(): number {
    return [...this.weights.values()].reduce((sum, weight) => sum + weight, 0);
  }

  get part(): number {
    const here = [...this.weights].reduce((sum, [file, weight]) => sum + weight * (this.here.get(file) ?? 0), 0);
    return this.total > 0 ? here / this.total : 0;
  }
}

type Bytes = Uint8Array<ArrayBuffer>;

/** Whatever language or packing it was fetched in. */
const ANY = { ignoreVary: true };

const TYPES: { [ending: string]: string } = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  json: "application/json",
  png: "image/png",
  svg: "image/svg+xml; charset=utf-8",
  webmanifest: "application/manifest+json",
  woff2: "font/woff2",
};

/** A file of the archive as the server itself would send it: with the same headers, those of its security among them. */
function answerWith(name: string, content: Bytes, sent: Headers): Response {
  const headers = new Headers(sent);
  for (const about of ["Content-Encoding", "Content-Length", "ETag", "Last-Modified"]) headers.delete(about);
  headers.set("Content-Type", TYPES[name.replace(/^.*\./, "")] ?? "application/octet-stream");
  return new Response(content, { headers });
}

/**
 * Fetch a file whole, telling how many bytes have come. It is given up when nothing comes for a while, or at `stop`.
 */
async function fetchWhole(
  address: string,
  how: RequestInit,
  stop: AbortSignal,
  tell?: (bytes: number) => void,
): Promise<{ response: Response; data: Bytes }> {
  stop.throwIfAborted();
  const request = new AbortController();
  const end = () => request.abort(stop.reason);
  stop.addEventListener("abort", end);
  let stalled: ReturnType<typeof setTimeout> | undefined;
  const wait = () => {
    clearTimeout(stalled);
    stalled = setTimeout(() => request.abort(new Error("nothing comes any more")), STALLED);
  };
  try {
    wait();
    const response = await fetchFile(address, { ...how, signal: request.signal });
    const reader = response.body?.getReader();
    const chunks: Bytes[] = [];
    let read = 0;
    for (;;) {
      wait();
      const { done, value } = (await reader?.read()) ?? { done: true };
      if (done || !value) break;
      chunks.push(value as Bytes);
      tell?.((read += value.length));
    }
    return { response, data: new Uint8Array(await new Blob(chunks).arrayBuffer()) };
  } finally {
    clearTimeout(stalled);
    stop.removeEventListener("abort", end);
  }
}

/** Put a file into a cache, unless all is to be forgotten. */
async function store(cacheName: string, address: string, file: Response, stop: AbortSignal): Promise<void> {
  stop.throwIfAborted();
  await (await caches.open(cacheName)).put(address, file);
}

async function verify(name: string, data: Bytes, sha256: string): Promise<void> {
  const found = new Uint8Array(await crypto.subtle.digest("SHA-256", data));
  if ([...found].map((byte) => byte.toString(16).padStart(2, "0")).join("") !== sha256)
    throw new Damaged(`${name} is damaged`);
}

async function unzipped(data: Bytes): Promise<Bytes> {
  const stream = new Blob([data]).stream().pipeThrough<Bytes>(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** A line of JSON that names the files with their lengths, then the files one after the other. */
function unpack(data: Bytes): Map<string, Bytes> {
  const end = data.indexOf(10);
  let from = end + 1;
  const listed = JSON.parse(new TextDecoder().decode(data.subarray(0, end))) as [string, number][];
  return new Map(listed.map(([name, length]) => [name, data.subarray(from, (from += length))]));
}

function whyOf(error: unknown): CacheFailure {
  if (error instanceof NoPython) return "none";
  if (error instanceof Damaged) return "damaged";
  if (error instanceof BadResponse) return [429, 503].includes(error.status) ? "busy" : "answer";
  const name = error instanceof DOMException ? error.name : "";
  return name === "QuotaExceededError" ? "room" : name === "SecurityError" ? "blocked" : "connection";
}

/** Do something with each, a few at a time; the first failure ends it. */
async function inTurn<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const rest = [...all];
  const lanes = Array.from({ length: AT_ONCE }, async () => {
    for (let one = rest.shift(); one !== undefined; one = rest.shift()) await work(one);
  });
  await Promise.all(lanes);
}
