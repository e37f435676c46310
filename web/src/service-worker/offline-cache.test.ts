import { gzipSync } from "node:zlib";
import { createHash } from "node:crypto";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { RETRY_DELAYS } from "../lib/net/retry";
import { serveOfflineCache, OfflineCache, type Archive, type CacheWorker, type CacheStatus } from "./offline-cache";
import { FULL, PAGE, PYTHON, SHARED } from "./cache-names";

const HOME = "https://host/games/preau/";
const LIST = `${HOME}static/offline.json`;

const sha256 = (data: string | Uint8Array) => createHash("sha256").update(data).digest("hex");
const python = (name: string, text: string) => ({
  path: `assets/offline/${name}`,
  bytes: text.length,
  brotli: text.length,
  sha256: sha256(text),
});

/** The browser's caches, as far as they are used here. */
class Store {
  readonly kept = new Map<string, Map<string, Response>>();

  async open(name: string) {
    const inside = this.kept.get(name) ?? new Map<string, Response>();
    this.kept.set(name, inside);
    return {
      put: async (at: string, what: Response) => void inside.set(at, what),
      match: async (at: string) => inside.get(at)?.clone(),
      keys: async () => [...inside.keys()].map((url) => ({ url })),
      delete: async ({ url }: { url: string }) => inside.delete(url),
    };
  }
  has = async (name: string) => this.kept.has(name);
  keys = async () => [...this.kept.keys()];
  delete = async (name: string) => this.kept.delete(name);
  async match(at: string, { cacheName }: { cacheName?: string } = {}) {
    for (const [name, inside] of this.kept)
      if (inside.has(at) && (cacheName ?? name) === name) return inside.get(at)?.clone();
    return undefined;
  }
}

let store: Store;
/** What the server has, what it was asked for, and what it answers first to some addresses: a status, or text. */
let host: Map<string, string | Uint8Array>;
let asked: string[];
let first: Map<string, (number | string)[]>;
let told: CacheStatus[];

beforeEach(() => {
  store = new Store();
  asked = [];
  told = [];
  later.length = 0;
  first = new Map();
  host = new Map<string, string | Uint8Array>([
    [HOME, '<script src="./static/assets/one.js">'],
    [LIST, JSON.stringify({ files: [python("a.bin", "aaa"), python("b.zip", "b")] })],
    [`${HOME}static/assets/offline/a.bin`, "aaa"],
    [`${HOME}static/assets/offline/b.zip`, "b"],
  ]);
  vi.stubGlobal("caches", store);
  vi.stubGlobal("fetch", async (what: string | Request) => {
    const address = typeof what === "string" ? what : what.url;
    asked.push(address);
    const instead = first.get(address)?.shift();
    if (instead === 0) throw new TypeError("no connection");
    if (typeof instead === "number") return new Response("", { status: instead, headers: { "Retry-After": "7" } });
    const found = instead ?? host.get(address);
    const headers = { "Content-Security-Policy": "default-src 'none'" };
    return new Response((found ?? "") as string, { status: found === undefined ? 404 : 200, headers });
  });
  vi.useFakeTimers();
  vi.spyOn(console, "info").mockImplementation(() => undefined);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** Put an archive with some files on the host. */
function publish(files: { [name: string]: string }): Archive {
  const head = JSON.stringify(Object.entries(files).map(([name, text]) => [name, text.length]));
  const data = gzipSync(`${head}\n${Object.values(files).join("")}`);
  const path = `assets/page-${sha256(data).slice(0, 16)}.pack`;
  host.set(`${HOME}static/${path}`, data);
  return { path, bytes: data.length, sha256: sha256(data) };
}

const FILES = { "assets/one.js": "one", "icon.svg": "<svg/>" };
const version = (name: string, files: { [name: string]: string } = FILES) =>
  new OfflineCache(HOME, (one) => told.push(one), publish(files), name);

/** Have a version kept, however often it has to wait before it asks again. */
async function keep(kept: OfflineCache, all = false): Promise<CacheStatus | undefined> {
  await over(kept.keep(all));
  return told.at(-1);
}

/** Let time pass until something is done. */
async function over(work: Promise<unknown>): Promise<void> {
  let done = false;
  void work.then(() => (done = true));
  for (let step = 0; !done; step++) {
    if (step > 10_000) throw new Error("it is never done");
    await vi.advanceTimersByTimeAsync(100);
  }
}

/** Let the host answer requests for such files only from `release` on. */
function hold(files: RegExp): { release: () => void } {
  const plain = fetch;
  const held = { release: () => undefined as void };
  const open = new Promise<void>((resolve) => (held.release = resolve));
  vi.stubGlobal("fetch", async (what: string | Request, how?: RequestInit) => {
    const found = await plain(what, how);
    if (files.test(typeof what === "string" ? what : what.url)) await open;
    return found;
  });
  return held;
}

const request = (to: string, how: object = {}) => ({ url: to, method: "GET", mode: "cors", ...how }) as Request;
const later: Promise<unknown>[] = [];
const said = async (kept: OfflineCache, what: Request) => (await kept.answer(what, (work) => later.push(work)))?.text();
const inside = (name: string) => [...(store.kept.get(name)?.keys() ?? [])].map((url) => url.slice(HOME.length)).sort();

test("the page is kept with few requests, and files have their types and the server's headers", async () => {
  const kept = version("1");
  expect(await keep(kept)).toMatchObject({ page: true, python: false, part: 1, busy: false, renewed: false });
  expect(inside(`${PAGE}1`)).toEqual(["", "static/assets/one.js", "static/icon.svg", "static/offline.json"]);
  expect(asked).toHaveLength(3);
  const script = store.kept.get(`${PAGE}1`)?.get(`${HOME}static/assets/one.js`);
  expect(script?.headers.get("Content-Type")).toBe("text/javascript; charset=utf-8");
  expect(script?.headers.get("Content-Security-Policy")).toBe("default-src 'none'");
  asked = [];
  await keep(kept);
  expect(asked).toEqual([]);
});

test("every screen is the first page, and files are found without a connection, whatever is asked of them", async () => {
  const kept = version("1");
  await keep(kept);
  host.clear();
  const screen = { mode: "navigate" };
  expect(await said(kept, request(HOME, screen))).toContain("script");
  expect(await said(kept, request(`${HOME}t/local1`, screen))).toContain("script");
  expect(await said(kept, request(`${HOME}static/assets/one.js?retry=2`))).toBe("one");
  expect(await said(kept, request(`${HOME}static/icon.svg`))).toBe("<svg/>");
});

test("the server answers for itself", () => {
  const kept = version("1");
  for (const path of ["api/games", "docs/index.html", "metrics", "favicon.ico"])
    expect(kept.answer(request(HOME + path), () => undefined)).toBeUndefined();
  expect(kept.answer(request(`${HOME}api/tables`, { method: "POST" }), () => undefined)).toBeUndefined();
  expect(kept.answer(request("https://elsewhere/static/assets/one.js"), () => undefined)).toBeUndefined();
  expect(kept.answer(request(`${HOME}some.pdf`, { mode: "navigate" }), () => undefined)).toBeUndefined();
});

test("a busy server is asked again when it said, and told of if it stays busy; then what is here stays", async () => {
  const b = `${HOME}static/assets/offline/b.zip`;
  first.set(HOME, [429, 0]).set(b, [503]);
  const start = Date.now();
  expect(await keep(version("1"), true)).toMatchObject({ page: true, python: true, part: 1 });
  expect(Date.now() - start).toBeGreaterThanOrEqual(14_000); // Retry-After: 7, twice
  expect(told.map(({ part }) => part)).toEqual(told.map(({ part }) => part).toSorted());

  store.kept.get(PYTHON)?.delete(b);
  first.set(b, [429, 429, 429, 429]);
  const stopped = await keep(version("1"), true);
  expect(stopped).toMatchObject({ page: true, python: false, busy: false, why: "busy", seconds: 7 });
  asked = [];
  expect(await keep(version("1"), true)).toMatchObject({ page: true, python: true });
  expect(asked).toEqual([b]);
});

test("without a connection it says so", async () => {
  first.set(HOME, Array<number>(RETRY_DELAYS.length + 1).fill(0));
  expect(await keep(version("1"))).toMatchObject({ page: false, busy: false, why: "connection" });
  expect(inside(`${PAGE}1`)).toEqual(["static/offline.json"]);
});

test("an answer that stays the same is not asked for again", async () => {
  const kept = version("1");
  for (const address of host.keys()) if (address.endsWith(".pack")) host.delete(address);
  expect(await keep(kept)).toMatchObject({ page: false, why: "answer" });
  expect(asked.filter((address) => address.endsWith(".pack"))).toHaveLength(1);
});

test("a damaged file is fetched again, and not kept", async () => {
  const b = `${HOME}static/assets/offline/b.zip`;
  first.set(b, ["B"]);
  expect(await keep(version("1"), true)).toMatchObject({ python: true });
  expect(await store.kept.get(PYTHON)?.get(b)?.clone().text()).toBe("b");
  store.kept.get(PYTHON)?.delete(b);
  host.set(b, "B");
  expect(await keep(version("1"), true)).toMatchObject({ page: true, python: false, why: "damaged" });
  expect(inside(PYTHON)).toEqual(["static/assets/offline/a.bin"]);
});

test("a first page of another version is not kept with this archive", async () => {
  host.set(HOME, '<script src="/static/assets/two.js">');
  expect(await keep(version("1"))).toMatchObject({ page: false, why: "damaged" });
  expect(inside(`${PAGE}1`)).toEqual(["static/offline.json"]);
});

test("where there is no room it says so, and fetches nothing again until the user asks", async () => {
  const open = store.open.bind(store);
  vi.spyOn(store, "open").mockImplementation(async (name) => ({
    ...(await open(name)),
    ...(name === PYTHON && { put: async () => Promise.reject(new DOMException("", "QuotaExceededError")) }),
  }));
  const room = { page: true, python: false, busy: false, why: "room" };
  expect(await keep(version("1"), true)).toMatchObject(room);
  expect(asked).toHaveLength(new Set(asked).size);
  asked = [];
  expect(await keep(version("1"), true)).toMatchObject(room);
  expect(asked).toEqual([]);
  expect(await keep(version("2"))).toMatchObject(room); // it had Python, and tries once
  expect(asked).not.toEqual([]);
  vi.mocked(store.open).mockImplementation(open);
  await store.delete(`${FULL}2`);
  expect(await keep(version("2"), true)).toMatchObject({ page: true, python: true });
  await version("2").tidy();
  expect([...store.kept.keys()].filter((name) => name.startsWith(FULL))).toEqual([]);
});

test("the page itself may have no room, too", async () => {
  const open = store.open.bind(store);
  vi.spyOn(store, "open").mockImplementation(async (name) => ({
    ...(await open(name)),
    put: async () => Promise.reject(new DOMException("", "QuotaExceededError")),
  }));
  expect(await keep(version("1"))).toMatchObject({ page: false, why: "room" });
});

test("until a new version is complete, the one before answers alone; never a mix of both", async () => {
  const before = version("1");
  await keep(before);
  host.set(HOME, '<script src="./static/assets/two.js">');
  const now = version("2", { "assets/two.js": "two", "icon.svg": "<svg>2</svg>" });
  const pack = [...host.keys()].find((address) => address.endsWith(".pack") && !asked.includes(address)) ?? "";
  first.set(pack, [404]);
  expect(await keep(now)).toMatchObject({ page: false, why: "answer" });
  const screen = request(HOME, { mode: "navigate" });
  for (const kept of [before, now]) {
    expect(await said(kept, screen)).toContain("one.js");
    expect(await said(kept, request(`${HOME}static/icon.svg`))).toBe("<svg/>");
  }
  expect(await keep(now)).toMatchObject({ page: true, renewed: true });
  expect(await said(now, screen)).toContain("two.js");
  expect(await said(now, request(`${HOME}static/icon.svg`))).toBe("<svg>2</svg>");
  expect(await said(now, request(`${HOME}static/assets/one.js`))).toBe("one"); // a window still shows the one before
});

test("a page of the release before asks for nothing, and is replaced all the same", async () => {
  const old = await store.open(`${PAGE}0`);
  await old.put(HOME, new Response('<script src="./static/assets/old.js">'));
  await old.put(`${HOME}static/assets/old.js`, new Response("old"));
  const kept = version("1");
  await kept.tidy();
  const screen = request(`${HOME}t/local1`, { mode: "navigate" });
  expect(await said(kept, screen)).toContain("old.js");
  await over(Promise.all(later));
  expect(told.at(-1)).toMatchObject({ page: true, python: false, renewed: true });
  expect(await said(kept, screen)).toContain("one.js");
  expect(await said(kept, request(`${HOME}static/assets/old.js`))).toBe("old"); // a window still shows it
  expect(later).toHaveLength(1);
});

test("the wish for all is not lost while the page is coming", async () => {
  const kept = version("1");
  const pack = hold(/\.pack$/);
  const job = kept.keep(false);
  await vi.advanceTimersByTimeAsync(1_000);
  const more = kept.keep(true);
  pack.release();
  await over(Promise.all([job, more]));
  expect(told.at(-1)).toMatchObject({ page: true, python: true });
});

test("nothing is written after all was to be forgotten, and it can be kept again", async () => {
  const kept = version("1");
  const files = hold(/\.pack$|a\.bin$/);
  const job = kept.keep(true);
  await vi.advanceTimersByTimeAsync(1_000);
  const passing = kept.answer(request(`${HOME}static/assets/offline/a.bin`), (work) => later.push(work));
  await vi.advanceTimersByTimeAsync(1_000);
  await kept.forget();
  expect(told.at(-1)).toEqual({ page: false, python: false, part: 0, bytes: 0, busy: false });
  const before = told.length;
  files.release();
  await over(Promise.all([job, passing]));
  await over(Promise.all(later));
  expect([...store.kept.keys()]).toEqual([]);
  expect(told).toHaveLength(before);
  expect(await keep(kept, true)).toMatchObject({ page: true, python: true });
});

test.each(["no answer", "no more bytes"])("a request with %s is given up after a while", async (fault) => {
  const plain = fetch;
  vi.stubGlobal("fetch", async (what: string, how: RequestInit) => {
    if (!what.endsWith(".pack")) return plain(what, how);
    const aborted = new Promise<never>((_, reject) => {
      how.signal?.addEventListener("abort", () => reject(how.signal?.reason as Error));
    });
    asked.push(what);
    if (fault === "no answer") return aborted;
    const body = new ReadableStream<Uint8Array>({
      start(stream) {
        stream.enqueue(new Uint8Array(3));
        aborted.catch((error: unknown) => stream.error(error));
      },
    });
    return new Response(body);
  });
  const start = Date.now();
  expect(await keep(version("1"))).toMatchObject({ page: false, busy: false, why: "connection" });
  expect(asked.filter((address) => address.endsWith(".pack"))).toHaveLength(RETRY_DELAYS.length + 1);
  expect(Date.now() - start).toBeLessThan(180_000);
});

test("a device that has Python gets the new one with the new version; what only an older version needed goes", async () => {
  await keep(version("1"), true);
  for (const [name, file] of [
    ["2", "c"],
    ["3", "d"],
  ] as const) {
    host.set(`${HOME}static/assets/offline/${file}.bin`, file);
    host.set(LIST, JSON.stringify({ files: [python(`${file}.bin`, file)] }));
    await keep(version(name));
    await version(name).tidy();
  }
  expect([...store.kept.keys()].filter((name) => name.startsWith(PAGE))).toEqual([`${PAGE}2`, `${PAGE}3`]);
  expect(inside(PYTHON)).toEqual(["static/assets/offline/c.bin", "static/assets/offline/d.bin"]);
});

test("what a site has packed is verified and kept unpacked, and called what browsers compile", async () => {
  const name = `${HOME}static/assets/offline/a.wasm.gz`;
  const file = { ...python("a.wasm.gz", "code"), bytes: 3 };
  host.set(LIST, JSON.stringify({ files: [file], packed: true }));
  for (const unpackedByHost of [false, true]) {
    host.set(name, unpackedByHost ? "code" : gzipSync("code"));
    const plain = fetch;
    vi.stubGlobal("fetch", async (what: string | Request) => {
      const found = await plain(what);
      if (unpackedByHost && (typeof what === "string" ? what : what.url) === name)
        found.headers.set("Content-Encoding", "gzip");
      return found;
    });
    store.kept.delete(PYTHON);
    const kept = version("1");
    expect(await keep(kept, true)).toMatchObject({ python: true });
    const found = store.kept.get(PYTHON)?.get(name)?.clone();
    expect(found?.headers.get("Content-Type")).toBe("application/wasm");
    expect(await found?.text()).toBe("code");
    store.kept.delete(PYTHON);
    await kept.answer(request(name), (work) => later.push(work));
    await Promise.all(later);
    expect(await store.kept.get(PYTHON)?.get(name)?.clone().text()).toBe("code");
  }
});

test("a page without Python is kept, and says so to those who want games", async () => {
  host.delete(LIST);
  expect(await keep(version("1"))).toMatchObject({ page: true, python: false });
  expect(await keep(version("1"), true)).toMatchObject({ page: true, python: false, why: "none" });
});

test("the worker installs at once, and tells all windows what it keeps when the page asks", async () => {
  vi.stubGlobal("PACK", publish(FILES));
  const heard = new Map<string, (event: never) => void>();
  const windows = [{ postMessage: (one: CacheStatus) => told.push(one) }, { postMessage: vi.fn() }];
  const clients = { claim: async () => undefined, matchAll: async () => windows };
  const worker: CacheWorker = {
    registration: { scope: HOME },
    clients,
    skipWaiting: async () => undefined,
    addEventListener: (kind, hear) => heard.set(kind, hear as (event: never) => void),
  };
  serveOfflineCache(worker);
  expect([...heard.keys()].sort()).toEqual(["activate", "fetch", "message"]);
  let work: Promise<unknown> = Promise.resolve();
  heard.get("message")?.({ data: "keep page", waitUntil: (one: Promise<unknown>) => (work = one) } as never);
  await vi.advanceTimersByTimeAsync(10_000);
  await work;
  await vi.advanceTimersByTimeAsync(0);
  expect(told.at(-1)).toMatchObject({ page: true, busy: false });
  expect(windows[1]?.postMessage).toHaveBeenCalledTimes(told.length);
  const port = { postMessage: vi.fn() };
  heard.get("message")?.({
    data: "forget",
    ports: [port],
    waitUntil: (one: Promise<unknown>) => (work = one),
  } as never);
  await work;
  expect([...store.kept.keys()]).toEqual([]);
  expect(port.postMessage).toHaveBeenCalledOnce();
});

test("a file that is handed over waits for the page", async () => {
  const body = new FormData();
  body.append("record", new Blob(["{}"]), "game.json");
  const shared = request(`${HOME}share`, { method: "POST", formData: async () => body });
  const answer = await version("1").answer(shared, () => undefined);
  expect(answer?.status).toBe(303);
  expect(answer?.headers.get("location")).toBe(`${HOME}?shared`);
  expect(store.kept.get(SHARED)?.size).toBe(1);
});
