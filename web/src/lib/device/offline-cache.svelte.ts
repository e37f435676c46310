/**
 * The offline cache, seen from the page. The service worker (service-worker/offline-cache.ts) stores the page and its Python; this
 * module asks it to, reports its progress to the user, asks again when it has stopped, and switches to a new version when
 * the user agrees. It is loaded after everything else.
 */
import { base, keptPython, pythonList } from "../../offline/python-files";
import type { CacheStatus, CacheFailure, CacheRequest } from "../../service-worker/offline-cache";
import { deleteCaches, FULL, PAGE, PYTHON } from "../../service-worker/cache-names";
import { retry, pause } from "../net/retry";
import { settings } from "./settings.svelte";
import { hrefOf } from "../navigation/address";

/** Between two questions whether there is a newer version, while the page is open. */
const UPDATE_INTERVAL = 3_600_000;
/** Seconds before the first, second, ... new attempt to fetch what is missing. */
const RETRY_DELAYS_S = [10, 30, 60, 120, 300, 600] as const;
/** Milliseconds without a message from the worker after which it is asked again: browsers end workers that take long. */
const SILENCE = 60_000;
/** Milliseconds after which a worker that does not answer is not waited for: those of older releases do not forget. */
const UNANSWERED = 5_000;

export class OfflineCacheClient {
  /** A newer version of the page is here: it waits for leave to take over, or has taken over in another window. */
  renewal = $state<"" | "waiting" | "done">("");
  /**
   * What is kept here: `page` without its Python, or `here`, all of it; or it is `coming`, or has `failed`. Empty while
   * that is not known.
   */
  state = $state<"" | "none" | "coming" | "page" | "here" | "failed">("");
  /** The page opens without a connection, whatever else is missing. */
  opens = $state(false);
  /** While it is coming: the share that is here, and the bytes of all that has to come. */
  part = $state(0);
  bytes = $state(0);
  /** Why it has failed, and when it is tried again. */
  why = $state<CacheFailure>("connection");
  next = $state<number | null>(null);

  private registration: ServiceWorkerRegistration | undefined;
  private begun: Promise<boolean> | undefined;
  private leaving: Promise<void> = Promise.resolve();
  private known: ServiceWorker | null = null;
  /** What the active worker has said last, when nothing was under way. */
  private active: CacheStatus | undefined;
  private reloading = false;
  private asked = Date.now();
  private failures = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** The user has asked for all of it. */
  private wanted = false;

  /** Whether this browser can keep the page at all. */
  get able(): boolean {
    return "serviceWorker" in navigator && "caches" in window;
  }

  /** Whether it is shown as an app of its own. */
  get installed(): boolean {
    return matchMedia("(display-mode: standalone)").matches;
  }

  /** Have the page kept, if that is wished for, and know from now on when it is renewed. Whether there is a worker. */
  begin(): Promise<boolean> {
    this.begun ??= this.leaving
      .then(() => this.start())
      .then((started) => {
        if (!started) this.begun = undefined;
        return started;
      });
    return this.begun;
  }

  private async start(): Promise<boolean> {
    if (!this.able) return false;
    try {
      const register = () => navigator.serviceWorker.register(place("service.js"), { scope: place("") });
      this.registration = await retry(register, (error) => !isBlocked(error));
    } catch (error) {
      console.info(error);
      if (settings.keep) this.onFailure(isBlocked(error) ? "blocked" : "connection");
      return false;
    }
    this.listen(this.registration);
    await navigator.serviceWorker.ready;
    await this.measure().catch(() => undefined); // the worker says why
    this.ask();
    return true;
  }

  /** Add the listeners; calling it again has no effect. */
  private listen(registration: ServiceWorkerRegistration): void {
    const { serviceWorker } = navigator;
    this.known = serviceWorker.controller;
    serviceWorker.addEventListener("message", this.onMessage);
    serviceWorker.addEventListener("controllerchange", this.onControllerChange);
    registration.addEventListener("updatefound", this.onUpdateFound);
    addEventListener("visibilitychange", this.checkForUpdate);
    addEventListener("online", this.reconnect);
  }

  /** Ask the worker for what is to be kept; a worker that waits to take over, for its version. */
  private ask(): void {
    const request = this.request();
    if (!request || !this.registration) return;
    if (request === "keep all" && this.state !== "here") this.state = "coming";
    const { active, waiting } = this.registration;
    for (const worker of [active, waiting]) worker?.postMessage(request);
    this.schedule(SILENCE, () => this.ask());
  }

  /** Nothing is loaded unasked where the browser is to save data; what is here is renewed there, too. */
  private request(): CacheRequest | null {
    if (!settings.keep) return null;
    if (this.wanted || !savesData()) return "keep all";
    return this.opens ? "keep page" : null;
  }

  private readonly onUpdateFound = () => {
    const { registration } = this;
    registration?.installing?.addEventListener("statechange", () => registration.waiting && this.ask());
  };

  private readonly onControllerChange = () => {
    if (this.reloading) location.reload();
    else if (this.known) this.renewal = "done";
    this.known = navigator.serviceWorker.controller;
  };

  /**
   * Handle what a worker reports of its version. A waiting worker counts once it has all it needs, or at once if the active
   * one has not: the files of the active one may be gone from the server, and then only the other version can be stored.
   */
  private readonly onMessage = ({ data, source }: MessageEvent) => {
    const told = data as CacheStatus;
    const { waiting } = this.registration ?? {};
    const waits = source !== null && source === waiting;
    this.opens ||= told.page;
    if (!waits && !told.busy) this.active = told;
    if (waits ? !told.busy && told.page : told.renewed) this.renewal = "waiting";
    const whole = !!this.active && !this.active.why;
    if (waiting && !waits && !whole) return;
    const unseen = waits && whole;
    if (told.busy) this.schedule(SILENCE, () => this.ask());
    else if (told.why) return this.onFailure(told.why, told.seconds, unseen);
    else this.schedule(0, null);
    if (unseen) return;
    this.part = told.part;
    this.bytes = told.bytes;
    if (told.busy) {
      if (told.bytes > 0) this.state = "coming";
      return;
    }
    [this.failures, this.next] = [0, null];
    const python = told.python && (!waits || !this.active?.page); // the active version needs its own
    this.state = python ? "here" : told.page ? "page" : "none";
  };

  /** It is tried again by itself, unless that cannot help. */
  private onFailure(why: CacheFailure, seconds = 0, unseen = false): void {
    if (!unseen) {
      this.state = "failed";
      this.why = why;
    }
    this.next = null;
    if (why === "none" || why === "room" || why === "blocked") return this.schedule(0, null);
    const wait = Math.max(seconds, RETRY_DELAYS_S[Math.min(this.failures++, RETRY_DELAYS_S.length - 1)] ?? 600) * 1000;
    this.next = Date.now() + wait;
    this.schedule(wait, () => void this.retry());
  }

  private schedule(ms: number, work: (() => void) | null): void {
    clearTimeout(this.timer);
    if (work) this.timer = setTimeout(work, ms);
  }

  /** Try at once what has failed. */
  async retry(): Promise<void> {
    this.next = null;
    if (!this.registration) return void (await this.begin());
    await this.registration.update().catch(() => undefined); // the version it wants may be gone from the server
    this.ask();
  }

  /** Ask now and then whether there is something newer: a page may be open for days. */
  private readonly checkForUpdate = async () => {
    if (document.visibilityState !== "visible" || Date.now() - this.asked < UPDATE_INTERVAL) return;
    this.asked = Date.now();
    await this.registration?.update().catch(() => undefined); // no connection
  };

  private readonly reconnect = () => this.state === "failed" && void this.retry();

  /** Let the newer version take over. */
  renew(): void {
    this.reloading = true;
    if (this.registration?.waiting) this.registration.waiting.postMessage("take over" satisfies CacheRequest);
    else location.reload();
  }

  /** Find out what is here. */
  async measure(): Promise<void> {
    const home = new URL(place(""), location.href).href;
    const versions = (await caches.keys()).filter((name) => name.startsWith(PAGE));
    const fronts = await Promise.all(versions.map((cacheName) => caches.match(home, { cacheName, ignoreVary: true })));
    this.opens = fronts.some(Boolean);
    const kept = await keptPython();
    const files =
      kept.size > 0
        ? await pythonList().then(
            ({ files }) => files,
            () => [],
          )
        : [];
    const all = files.length > 0 && files.every(({ path }) => kept.has(base() + path));
    if (this.state === "coming" || this.state === "failed") return;
    this.state = !this.opens ? "none" : all ? "here" : "page";
  }

  /** Fetch all of it now, because the user wants it. */
  async keep(): Promise<void> {
    this.wanted = true;
    this.failures = 0;
    this.state = "coming";
    await navigator.storage?.persist?.().catch(() => false);
    await deleteCaches(FULL).catch(() => undefined); // the browser may keep nothing
    await this.retry();
  }

  /** Keep nothing any more; notifications go on. */
  leave(): Promise<void> {
    this.begun = undefined;
    const leaving = this.forget();
    this.leaving = leaving.catch(() => undefined);
    return leaving;
  }

  private async forget(): Promise<void> {
    const registration = await navigator.serviceWorker.getRegistration(place(""));
    const notified = await registration?.pushManager?.getSubscription().catch(() => null);
    const { active, waiting, installing } = registration ?? {};
    await Promise.all([active, waiting, installing].map((worker) => worker && forgets(worker)));
    await deleteCaches(PAGE, PYTHON, FULL);
    this.schedule(0, null);
    this.wanted = this.opens = false;
    this.active = undefined;
    this.state = "none";
    if (!notified) await registration?.unregister();
    this.registration = undefined;
  }
}

/** Let a worker end what it does and forget all. */
async function forgets(worker: ServiceWorker): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  const done = new Promise((resolve) => (port1.onmessage = resolve));
  worker.postMessage("forget" satisfies CacheRequest, [port2]);
  await Promise.race([done, pause(UNANSWERED)]);
  port1.close();
}

/** Whether the browser is set to keep nothing for this page. */
function isBlocked(error: unknown): boolean {
  return error instanceof DOMException && error.name === "SecurityError";
}

/** A file of the page, where the page begins. */
const place = (name: string): string => hrefOf("/").replace(/[^/]*(?:#.*)?$/, "") + name;

/** Whether the user wants the browser to load little. */
function savesData(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  return connection?.saveData ?? matchMedia("(prefers-reduced-data: reduce)").matches;
}

export const offlineCache = new OfflineCacheClient();
