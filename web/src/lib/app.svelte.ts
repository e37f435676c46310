/**
 * The page as an app: kept on this device by its service worker, with its Python if that is wished for, and renewed when
 * somebody says so. Comes after everything else of a visit.
 */
import { keptPython } from "../offline/kept";
import type { Told, Wish } from "../service/keep";
import { PAGE, PYTHON } from "../service/names";
import { settings } from "./settings.svelte";
import { wayTo } from "./site";

/** Between two questions whether there is a newer version, while the page is open. */
const SELDOM = 3_600_000;

interface Line {
  type?: string;
  effectiveType?: string;
  saveData?: boolean;
}

class App {
  /** A newer version of the page is here: it waits for leave to take over, or has taken over in another window. */
  renewal = $state<"" | "waiting" | "done">("");
  /** How much of Python is kept here: all of it is 1; null while nobody knows, -1 if it does not come. */
  python = $state<number | null>(null);

  private registration: ServiceWorkerRegistration | undefined;
  private reloading = false;
  private asked = Date.now();

  /** Whether this browser can keep the page at all. */
  get able(): boolean {
    return "serviceWorker" in navigator && "caches" in window;
  }

  /** Whether it is shown as an app of its own. */
  get installed(): boolean {
    return matchMedia("(display-mode: standalone)").matches;
  }

  /** Have the page kept, and know from now on when it is renewed. */
  async begin(): Promise<void> {
    if (!this.able || this.registration) return;
    const before = navigator.serviceWorker.controller;
    this.registration = await navigator.serviceWorker.register(place("service.js"), { scope: place("") });
    navigator.serviceWorker.addEventListener("message", ({ data }) => (this.python = (data as Told).python));
    let known = before;
    navigator.serviceWorker.addEventListener("controllerchange", () => {
      if (this.reloading) location.reload();
      else if (known) this.renewal = "done";
      known = navigator.serviceWorker.controller;
    });
    this.watch(this.registration);
    addEventListener("visibilitychange", () => void this.look());
    const worker = await navigator.serviceWorker.ready;
    await this.measure();
    if (settings.keep && this.python === 0 && (before || this.installed) && unmetered())
      ask(worker.active, "keep python");
  }

  private watch(registration: ServiceWorkerRegistration): void {
    const look = () => {
      if (registration.waiting && navigator.serviceWorker.controller) this.renewal = "waiting";
    };
    look();
    registration.addEventListener("updatefound", () => {
      registration.installing?.addEventListener("statechange", look);
    });
  }

  /** Ask now and then whether there is something newer: a page may be open for days. */
  private async look(): Promise<void> {
    if (document.visibilityState !== "visible" || Date.now() - this.asked < SELDOM) return;
    this.asked = Date.now();
    await this.registration?.update().catch(() => undefined); // no line
  }

  /** Let the newer version take over. */
  renew(): void {
    this.reloading = true;
    if (this.registration?.waiting) ask(this.registration.waiting, "take over");
    else location.reload();
  }

  /** Find out whether Python is here. */
  async measure(): Promise<void> {
    const kept = await keptPython();
    const list = await fetch(place("static/offline.json")).then(
      (response) => (response.ok ? response.json() : undefined),
      () => undefined,
    );
    const files = (list as { files: { path: string }[] } | undefined)?.files ?? [];
    const here = files.filter(({ path }) => kept.has(new URL(place(`static/${path}`), location.href).href));
    this.python = files.length === 0 ? -1 : here.length === files.length ? 1 : 0;
  }

  /** Fetch Python now. */
  async keep(): Promise<void> {
    await this.begin();
    await navigator.storage?.persist?.().catch(() => false);
    this.python = 0.001;
    ask((await navigator.serviceWorker.ready).active, "keep python");
  }

  /** Keep nothing any more; calls for one's turn go on. */
  async leave(): Promise<void> {
    const worker = await navigator.serviceWorker.getRegistration(place(""));
    const called = await worker?.pushManager?.getSubscription().catch(() => null);
    await caches.delete(PYTHON);
    this.python = 0;
    if (!worker || called) return;
    for (const name of await caches.keys()) if (name.startsWith(PAGE)) await caches.delete(name);
    await worker.unregister();
    this.registration = undefined;
  }

  /** Keep the page, but no Python. */
  async forget(): Promise<void> {
    ask((await navigator.serviceWorker.getRegistration(place("")))?.active, "forget python");
  }
}

/** A file of the page, where the page begins. */
const place = (name: string): string => wayTo("/").replace(/[^/]*(?:#.*)?$/, "") + name;

const ask = (worker: ServiceWorker | null | undefined, wish: Wish): void => worker?.postMessage(wish);

/** Whether nobody pays for what is loaded in the background, as far as the browser says so. */
function unmetered(): boolean {
  const line = (navigator as { connection?: Line }).connection;
  if (!line) return app.installed;
  return !line.saveData && line.effectiveType === "4g" && [undefined, "wifi", "ethernet"].includes(line.type);
}

export const app = new App();
