/** Push messages of the server, "it is your turn": shown as notifications, one for each table; a click opens the table. */

/** What the server says (`preau/server/notifications/messages.py`); only this browser can read it. */
export interface TurnNotification {
  title: string;
  body: string;
  /** "Until {when}." */
  until: string;
  /** When the turn is over. */
  ends: number;
  language: string;
  table: string;
  /** The same for all notifications of one table: a new one replaces the old one. */
  tag: string;
  /** Which turn it is. */
  turn: number;
}

/** What is used of a service worker: the page's types know none. */
export interface Worker {
  registration: Pick<ServiceWorkerRegistration, "showNotification" | "getNotifications">;
  clients: {
    matchAll(which: { type: "window"; includeUncontrolled: true }): Promise<readonly Window[]>;
    openWindow(url: string): Promise<unknown>;
  };
  location: { origin: string };
  navigator: { setAppBadge?: (count: number) => Promise<void> };
  addEventListener(kind: string, handle: (event: Event) => void): void;
}

interface Window {
  url: string;
  visibilityState: string;
  focus(): Promise<unknown>;
}

interface Event {
  data?: { json(): unknown } | null;
  notification?: Notification;
  waitUntil(work: Promise<unknown>): void;
}

const TABLE = /^[a-z0-9]{1,32}$/;
const LOCALES: { [language: string]: string } = { en: "en-GB", fr: "fr-FR" };

export function listenForPush(worker: Worker): void {
  worker.addEventListener("push", (event) => event.waitUntil(show(worker, read(event.data))));
  worker.addEventListener("notificationclick", (event) => {
    event.notification?.close();
    event.waitUntil(openTable(worker, tableOf(event.notification)));
  });
}

/** What was sent, or null if it is nothing of ours. */
export function read(data: Event["data"]): TurnNotification | null {
  try {
    const message = data?.json() as Partial<TurnNotification> | null | undefined;
    const texts = [message?.title, message?.body, message?.until, message?.language, message?.table, message?.tag];
    const right = texts.every((one) => typeof one === "string") && TABLE.test(message?.table ?? "");
    return right && Number.isFinite(message?.ends) && Number.isFinite(message?.turn)
      ? (message as TurnNotification)
      : null;
  } catch {
    return null;
  }
}

/** The words of a notification, with the time in the reader's own zone. */
export function words(message: TurnNotification): string {
  const how = { weekday: "long", day: "numeric", month: "long", hour: "numeric", minute: "2-digit" } as const;
  const when = new Date(message.ends).toLocaleString(LOCALES[message.language] ?? message.language, how);
  return `${message.body}\n${message.until.replace("{when}", when)}`;
}

/**
 * Browsers require that every push message is shown. While the user is looking at that table, the notification is closed
 * at once; a second one about the same turn makes no sound.
 */
export async function show(worker: Worker, message: TurnNotification | null): Promise<void> {
  if (!message) return worker.registration.showNotification("Préau", { tag: "preau" });
  const { table, tag, turn } = message;
  const shown = await worker.registration.getNotifications({ tag });
  const looking = (await windows(worker)).some((one) => one.visibilityState === "visible" && isAt(worker, one, table));
  const again = shown.some((one) => (one.data as Partial<TurnNotification> | null)?.turn !== turn);
  const how = { body: words(message), tag, lang: message.language, data: { table, turn }, silent: looking };
  await worker.registration.showNotification(message.title, {
    ...how,
    ...(again && !looking ? { renotify: true } : {}),
  });
  const all = await worker.registration.getNotifications();
  if (looking) for (const one of all) if (one.tag === tag) one.close();
  const waiting = looking ? all.filter((one) => one.tag !== tag) : all;
  await worker.navigator.setAppBadge?.(waiting.length).catch(() => undefined);
}

/** To the table: in a window that is there already, or a new one. */
async function openTable(worker: Worker, table: string): Promise<void> {
  const there = (await windows(worker)).find((one) => isAt(worker, one, table));
  await (there ? there.focus() : worker.clients.openWindow(table ? `/t/${table}` : "/"));
}

function windows(worker: Worker): Promise<readonly Window[]> {
  return worker.clients.matchAll({ type: "window", includeUncontrolled: true });
}

function isAt(worker: Worker, window: Window, table: string): boolean {
  const url = new URL(window.url);
  return url.origin === worker.location.origin && url.pathname === (table ? `/t/${table}` : "/");
}

function tableOf(notification: Notification | undefined): string {
  const { table } = (notification?.data ?? {}) as Partial<TurnNotification>;
  return typeof table === "string" && TABLE.test(table) ? table : "";
}
