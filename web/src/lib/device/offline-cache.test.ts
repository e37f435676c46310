import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { CacheStatus, CacheRequest } from "../../service-worker/offline-cache";
import { FULL, PAGE, PYTHON } from "../../service-worker/cache-names";
import { OfflineCacheClient } from "./offline-cache.svelte";
import { settings } from "./settings.svelte";

/** A service worker that notes what it is asked. */
class Worker {
  readonly heard: CacheRequest[] = [];
  ports: readonly MessagePort[] = [];
  postMessage(wish: CacheRequest, ports: readonly MessagePort[] = []): void {
    this.heard.push(wish);
    this.ports = ports;
  }
}

let active: Worker;
let waiting: Worker | null;
let subscription: object | null;
let container: EventTarget & { register: ReturnType<typeof vi.fn> };
let app: OfflineCacheClient;
/** The names of the caches. */
let names: string[];

const ALL: CacheStatus = { page: true, python: true, part: 1, bytes: 0, busy: false };
const NOTHING: CacheStatus = { ...ALL, page: false, python: false };
const MISSING: CacheStatus = { ...NOTHING, why: "answer" };

function tells(source: Worker | null, told: CacheStatus): void {
  container.dispatchEvent(Object.assign(new Event("message"), { data: told, source }));
}

beforeEach(() => {
  [active, waiting, subscription, names] = [new Worker(), null, null, []];
  const registration = Object.assign(new EventTarget(), {
    pushManager: { getSubscription: async () => subscription },
    update: async () => undefined,
    unregister: vi.fn(async () => true),
  });
  Object.defineProperty(registration, "active", { get: () => active });
  Object.defineProperty(registration, "waiting", { get: () => waiting });
  container = Object.assign(new EventTarget(), {
    controller: active,
    register: vi.fn(async () => registration),
    getRegistration: async () => registration,
    ready: Promise.resolve(registration),
  });
  Object.defineProperty(navigator, "serviceWorker", { value: container, configurable: true });
  vi.stubGlobal("caches", {
    keys: async () => names,
    has: async () => false,
    match: async () => undefined,
    delete: async (name: string) => (names = names.filter((one) => one !== name)).length,
  });
  vi.spyOn(console, "info").mockImplementation(() => undefined);
  vi.useFakeTimers();
  settings.keep = true;
  app = new OfflineCacheClient();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  Reflect.deleteProperty(navigator, "serviceWorker");
});

test("a version that is gone from the server fails unseen while the next one waits", async () => {
  await app.begin();
  tells(active, MISSING);
  expect([app.state, app.why]).toEqual(["failed", "answer"]);
  waiting = new Worker();
  await app.retry();
  expect(waiting.heard).toEqual(["keep all"]);
  tells(active, MISSING);
  tells(waiting, { ...NOTHING, part: 0.5, bytes: 100, busy: true });
  expect([app.state, app.part]).toEqual(["coming", 0.5]);
  tells(active, { ...NOTHING, part: 0, bytes: 100, busy: true });
  tells(waiting, ALL);
  tells(active, MISSING);
  expect([app.state, app.opens, app.renewal, app.next]).toEqual(["here", true, "waiting", null]);
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(waiting.heard).toEqual(["keep all"]); // nothing is tried again
});

test("what fails of the version that waits is seen if the active one is not here", async () => {
  await app.begin();
  waiting = new Worker();
  tells(active, MISSING);
  tells(waiting, { ...NOTHING, why: "busy" });
  expect([app.state, app.why]).toEqual(["failed", "busy"]);
});

test("a complete version stays shown while the next one comes or fails", async () => {
  await app.begin();
  tells(active, ALL);
  waiting = new Worker();
  tells(waiting, { ...NOTHING, part: 0.5, bytes: 100, busy: true });
  expect(app.state).toBe("here");
  tells(waiting, { ...NOTHING, why: "connection" });
  expect(app.state).toBe("here");
  await vi.advanceTimersByTimeAsync(10_000);
  expect(waiting.heard).toEqual(["keep all"]); // but it is tried again
});

test("a version whose page is here without Python is not called ready because the next one is", async () => {
  await app.begin();
  waiting = new Worker();
  tells(active, { ...MISSING, page: true });
  tells(waiting, ALL);
  expect([app.state, app.renewal]).toEqual(["page", "waiting"]);
});

test("the page itself is here although the rest has failed", async () => {
  await app.begin();
  tells(active, { ...NOTHING, page: true, why: "connection" });
  expect([app.state, app.opens]).toEqual(["failed", true]);
});

test("a browser that is set to keep nothing is named, and not asked again", async () => {
  container.register.mockRejectedValue(new DOMException("", "SecurityError"));
  let begun: boolean | undefined;
  void app.begin().then((one) => (begun = one));
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect([begun, app.state, app.why, app.next]).toEqual([false, "failed", "blocked", null]);
  expect(container.register).toHaveBeenCalledOnce();
});

test("a failed registration is tried again, unless nothing is to be kept", async () => {
  container.register.mockRejectedValue(new TypeError("no connection"));
  void app.begin();
  await vi.advanceTimersByTimeAsync(10_000);
  expect([app.state, app.why]).toEqual(["failed", "connection"]);
  const asked = container.register.mock.calls.length;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(container.register.mock.calls.length).toBeGreaterThan(asked);
  settings.keep = false;
  const other = new OfflineCacheClient();
  void other.begin();
  await vi.advanceTimersByTimeAsync(10_000);
  expect([other.state, other.next]).toEqual(["", null]);
});

test.each([true, false])("all is forgotten, and kept again when wished for; with notifications: %s", async (called) => {
  subscription = called ? {} : null;
  await app.begin();
  names = [`${PAGE}1`, PYTHON, `${FULL}1`, "preau-shared"];
  settings.keep = false;
  let left = false;
  const leaving = app.leave().then(() => (left = true));
  await vi.waitFor(() => expect(active.heard).toEqual(["keep all", "forget"]));
  expect(left).toBe(false); // it waits for the worker
  active.ports[0]?.postMessage(null);
  await leaving;
  expect([app.state, names]).toEqual(["none", ["preau-shared"]]);
  settings.keep = true;
  await app.begin();
  expect(active.heard).toEqual(["keep all", "forget", "keep all"]);
  tells(active, { ...NOTHING, why: "connection" });
  expect(app.next).toBe(Date.now() + 10_000); // it was heard once
});

test("a worker of the release before does not answer, and all is forgotten all the same", async () => {
  await app.begin();
  names = [`${PAGE}1`];
  const leaving = app.leave();
  await vi.advanceTimersByTimeAsync(60_000);
  await leaving;
  expect(names).toEqual([]);
});

test("where there was no room, a wish makes it try again", async () => {
  await app.begin();
  tells(active, { ...NOTHING, page: true, why: "room" });
  names = [`${PAGE}1`, `${FULL}1`];
  await app.keep();
  expect(names).toEqual([`${PAGE}1`]);
  expect(active.heard).toEqual(["keep all", "keep all"]);
});
