import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Kept } from "./keep";
import { PAGE, PYTHON, SHARED } from "./names";

const HOME = "https://host/games/preau/";
const LIST = {
  files: [
    { path: "assets/offline/a.bin", bytes: 30 },
    { path: "assets/offline/b.zip", bytes: 10 },
  ],
};

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
  async match(at: string) {
    for (const inside of this.kept.values()) if (inside.has(at)) return inside.get(at)?.clone();
    return undefined;
  }
}

let store: Store;
let host: Map<string, string>;

beforeEach(() => {
  store = new Store();
  host = new Map([
    [HOME, "front"],
    [`${HOME}static/assets/one.js`, "one"],
    [`${HOME}static/offline.json`, JSON.stringify(LIST)],
    [`${HOME}static/assets/offline/a.bin`, "a"],
    [`${HOME}static/assets/offline/b.zip`, "b"],
  ]);
  vi.stubGlobal("caches", store);
  vi.stubGlobal("fetch", async (what: string | Request) => {
    const found = host.get(typeof what === "string" ? what : what.url);
    return new Response(found ?? "", { status: found === undefined ? 404 : 200 });
  });
});
afterEach(() => vi.unstubAllGlobals());

const version = (name: string) => new Kept(HOME, ["assets/one.js"], name);
const asked = (to: string, how: object = {}) => ({ url: to, method: "GET", mode: "cors", ...how }) as Request;
const later: Promise<unknown>[] = [];
const said = async (kept: Kept, request: Request) => (await kept.answer(request, (work) => later.push(work)))?.text();

test("a version is kept whole or not at all", async () => {
  await version("1").fetchAll();
  expect([...(store.kept.get(`${PAGE}1`)?.keys() ?? [])].sort()).toEqual([
    HOME,
    `${HOME}static/assets/one.js`,
    `${HOME}static/offline.json`,
  ]);
  host.delete(`${HOME}static/assets/one.js`);
  await expect(version("2").fetchAll()).rejects.toThrow("404");
  expect([...store.kept.keys()]).toEqual([`${PAGE}1`]);
});

test("every screen is the first page, and files are found without a line", async () => {
  const kept = version("1");
  await kept.fetchAll();
  host.clear();
  const screen = { mode: "navigate" };
  expect(await said(kept, asked(HOME, screen))).toBe("front");
  expect(await said(kept, asked(`${HOME}t/local1`, screen))).toBe("front");
  expect(await said(kept, asked(`${HOME}static/assets/one.js`))).toBe("one");
});

test("the server answers for itself", () => {
  const kept = version("1");
  for (const path of ["api/games", "docs/index.html", "metrics", "favicon.ico"])
    expect(kept.answer(asked(HOME + path), () => undefined)).toBeUndefined();
  expect(kept.answer(asked(`${HOME}api/tables`, { method: "POST" }), () => undefined)).toBeUndefined();
  expect(kept.answer(asked("https://elsewhere/static/assets/one.js"), () => undefined)).toBeUndefined();
  expect(kept.answer(asked(`${HOME}some.pdf`, { mode: "navigate" }), () => undefined)).toBeUndefined();
});

test("Python is kept when it is wished for, part by part, and once it was needed", async () => {
  const kept = version("1");
  await kept.fetchAll();
  const told: number[] = [];
  await kept.fetchPython((part) => told.push(part));
  expect(told).toEqual([0.75, 0.999]);
  expect(store.kept.get(PYTHON)?.size).toBe(2);
  store.kept.delete(PYTHON);
  expect(await said(kept, asked(`${HOME}static/assets/offline/a.bin`))).toBe("a");
  await Promise.all(later);
  expect([...(store.kept.get(PYTHON)?.keys() ?? [])]).toEqual([`${HOME}static/assets/offline/a.bin`]);
});

test("what a site has packed is kept unpacked, and called what browsers compile", async () => {
  const name = `${HOME}static/assets/offline/a.wasm.gz`;
  const packed = new Response("code").body?.pipeThrough(new CompressionStream("gzip"));
  const bytes = await new Response(packed).arrayBuffer();
  const list = { files: [{ path: "assets/offline/a.wasm.gz", bytes: 3 }], packed: true };
  host.set(`${HOME}static/offline.json`, JSON.stringify(list));
  const kept = version("1");
  await kept.fetchAll();
  for (const unpackedByHost of [false, true]) {
    const headers: HeadersInit = unpackedByHost ? { "Content-Encoding": "gzip" } : {};
    vi.stubGlobal("fetch", async () => new Response(unpackedByHost ? "code" : bytes.slice(0), { headers }));
    store.kept.delete(PYTHON);
    await kept.fetchPython(() => undefined);
    const found = store.kept.get(PYTHON)?.get(name)?.clone();
    expect(found?.headers.get("Content-Type")).toBe("application/wasm");
    expect(await found?.text()).toBe("code");
    store.kept.delete(PYTHON);
    await kept.answer(asked(name), (work) => later.push(work));
    await Promise.all(later);
    expect(await store.kept.get(PYTHON)?.get(name)?.clone().text()).toBe("code");
  }
});

test("whoever has Python gets the new one with the new version; what only the version before the last needed goes", async () => {
  await version("1").fetchAll();
  await version("1").fetchPython(() => undefined);
  for (const [name, file] of [
    ["2", "c"],
    ["3", "d"],
  ] as const) {
    host.set(`${HOME}static/assets/offline/${file}.bin`, file);
    host.set(
      `${HOME}static/offline.json`,
      JSON.stringify({ files: [{ path: `assets/offline/${file}.bin`, bytes: 1 }] }),
    );
    await version(name).fetchAll();
    await version(name).tidy();
  }
  expect([...store.kept.keys()].filter((name) => name.startsWith(PAGE))).toEqual([`${PAGE}2`, `${PAGE}3`]);
  expect([...(store.kept.get(PYTHON)?.keys() ?? [])].map((url) => url.at(-5))).toEqual(["c", "d"]);
});

test("a page without Python says so", async () => {
  host.delete(`${HOME}static/offline.json`);
  await version("1").fetchAll();
  await expect(version("1").fetchPython(() => undefined)).rejects.toThrow("no Python");
});

test("a file that is handed over waits for the page", async () => {
  const body = new FormData();
  body.append("record", new Blob(["{}"]), "game.json");
  const request = asked(`${HOME}share`, { method: "POST", formData: async () => body });
  const answer = await version("1").answer(request, () => undefined);
  expect(answer?.status).toBe(303);
  expect(answer?.headers.get("location")).toBe(`${HOME}?shared`);
  expect(store.kept.get(SHARED)?.size).toBe(1);
});
