/** Notifications "it is your turn" for tables with days for a move: on this device, or by mail. */
import { call, Refused } from "../net/api";
import { settings } from "./settings.svelte";
import { load, save } from "./local-storage";
import type { Calling, Found, Mail } from "../net/protocol";

/** Whether this device gets notifications of a table, and if not, why. */
export type NotificationState = "unknown" | "unsupported" | "none" | "denied" | "off" | "on";

const KEY = "calls";
const KEPT = 60;

const at = (table: string) => `/tables/${encodeURIComponent(table)}`;

let asked: Promise<Calling> | undefined;

/** What the server can do; asked once. */
export function notificationOptions(): Promise<Calling> {
  asked ??= call<Calling>("/calls").catch((error: unknown) => {
    asked = undefined;
    throw error;
  });
  return asked;
}

/** The browser cannot subscribe: its push service cannot be reached, or is turned off. */
export class NoPush extends Error {}

function supported(): boolean {
  return "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
}

/** The notifications of one table on this device. */
export class TurnNotifications {
  state = $state<NotificationState>("unknown");
  mail = $state<Mail["state"] | "none">("none");

  constructor(
    private readonly table: string,
    private readonly token: string,
  ) {}

  /** Update the state. A subscription that is on is renewed: browsers change their addresses, users their language. */
  async refresh(): Promise<void> {
    const server = await notificationOptions();
    if (!server.key) this.state = "none";
    else if (!supported()) this.state = "unsupported";
    else if (Notification.permission === "denied") this.state = "denied";
    else if (Notification.permission !== "granted" || !savedTables().includes(this.table)) this.state = "off";
    else {
      try {
        await this.subscribe(server.key ?? "");
        this.state = "on";
      } catch (error) {
        if (error instanceof Refused && error.offline) throw error;
        forget(this.table);
        this.state = "off";
      }
    }
    if (server.mail) await this.refreshMail();
  }

  /** Ask the browser's own question if need be, which is why this follows a click. */
  async turnOn(): Promise<void> {
    const { key } = await notificationOptions();
    const answer = await Notification.requestPermission();
    if (answer !== "granted") {
      this.state = answer === "denied" ? "denied" : "off";
      return;
    }
    await this.subscribe(key ?? "");
    save(KEY, [this.table, ...savedTables().filter((one) => one !== this.table)].slice(0, KEPT));
    this.state = "on";
  }

  async turnOff(): Promise<void> {
    const worker = await navigator.serviceWorker.getRegistration("/");
    const subscription = await worker?.pushManager.getSubscription();
    if (subscription) await this.post("/calls/end", { endpoint: subscription.endpoint });
    forget(this.table);
    this.state = "off";
  }

  private async subscribe(key: string): Promise<void> {
    let subscription: PushSubscription;
    try {
      const { offlineCache } = await import("./offline-cache.svelte");
      if (!(await offlineCache.begin())) throw new Error("there is no service worker");
      const { pushManager } = await navigator.serviceWorker.ready;
      const before = await pushManager.getSubscription();
      if (before && !sameKey(before, key)) await before.unsubscribe(); // of a server that was set up anew
      subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
    } catch (error) {
      throw new NoPush(String(error));
    }
    const { endpoint, keys } = subscription.toJSON();
    const { p256dh, auth } = keys ?? {};
    await this.post("/calls", { endpoint, p256dh, auth, language: settings.language });
  }

  // Mail.

  private async refreshMail(): Promise<void> {
    this.mail = (await call<Mail>(`${at(this.table)}/mail`, { token: this.token })).state;
  }

  async writeMe(address: string): Promise<void> {
    await this.post("/mail", { address, language: settings.language });
    await this.refreshMail();
  }

  async endMail(): Promise<void> {
    await this.post("/mail/end");
    this.mail = "off";
  }

  private post(what: string, body?: unknown): Promise<void> {
    return call<void>(`${at(this.table)}${what}`, { method: "POST", body, token: this.token });
  }
}

let last: { key: string; notifications: TurnNotifications } | undefined;

/** The notifications of a table. The offer and the menu share one object. */
export function turnNotificationsOf(table: string, token: string): TurnNotifications {
  const key = `${table} ${token}`;
  if (last?.key !== key) last = { key, notifications: new TurnNotifications(table, token) };
  return last.notifications;
}

function savedTables(): string[] {
  return load<string[]>(KEY, []);
}

function forget(table: string): void {
  save(
    KEY,
    savedTables().filter((one) => one !== table),
  );
}

/** Whether a subscription was made for this server's key. */
function sameKey(subscription: PushSubscription, key: string): boolean {
  const own = subscription.options?.applicationServerKey;
  if (!own) return true; // some browsers do not tell
  const text = btoa(String.fromCharCode(...new Uint8Array(own)));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "") === key;
}

// The links in mails.

export const agreeToMail = (code: string) => call<Found>("/mail", { method: "POST", body: { code } });
export const endMail = (code: string) => call<void>(`/mail/${encodeURIComponent(code)}/end`, { method: "POST" });
