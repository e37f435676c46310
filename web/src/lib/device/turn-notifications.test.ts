import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { turnNotificationsOf, NoPush, TurnNotifications } from "./turn-notifications.svelte";
import { load, save } from "./local-storage";

const SUBSCRIPTION = { endpoint: "https://push.example.org/1", keys: { p256dh: "p", auth: "a" } };

let posted: { path: string; body: unknown; token: string | undefined }[] = [];
let status = 204;
let answer: NotificationPermission = "granted";
let service = true;

/** A browser that accepts notifications, and a server that sends them. */
function set(permission: NotificationPermission): void {
  const subscription = { ...SUBSCRIPTION, toJSON: () => SUBSCRIPTION };
  const pushManager = {
    getSubscription: () => Promise.resolve(subscription),
    subscribe: () => (service ? Promise.resolve(subscription) : Promise.reject(new Error("no service"))),
  };
  const worker = Object.assign(new EventTarget(), { pushManager, active: { postMessage: vi.fn() } });
  const container = Object.assign(new EventTarget(), {
    register: () => Promise.resolve(worker),
    ready: Promise.resolve(worker),
    getRegistration: () => Promise.resolve(worker),
  });
  Object.defineProperty(navigator, "serviceWorker", { value: container, configurable: true });
  vi.stubGlobal("caches", { keys: async () => [], has: async () => false });
  vi.stubGlobal("PushManager", class {});
  const notification = { permission, requestPermission: () => Promise.resolve((notification.permission = answer)) };
  vi.stubGlobal("Notification", notification);
  vi.stubGlobal("fetch", (path: string, how: RequestInit) => {
    if (path === "/api/calls") return Promise.resolve(new Response(JSON.stringify({ key: "BKEY" })));
    const { Authorization } = how.headers as { Authorization?: string };
    posted.push({ path, body: JSON.parse((how.body as string | null) ?? "null") as unknown, token: Authorization });
    const problem = JSON.stringify({ error: "Refusal", message: "no", key: "calls_full" });
    return Promise.resolve(new Response(status === 204 ? null : problem, { status }));
  });
}

beforeEach(() => {
  [posted, status, answer, service] = [[], 204, "granted", true];
  save("calls", []);
});
afterEach(() => {
  vi.unstubAllGlobals();
  Reflect.deleteProperty(navigator, "serviceWorker");
});

describe("calls for a table", () => {
  it("are off until somebody wants them, and then kept for this table", async () => {
    set("default");
    const notifications = new TurnNotifications("t1", "secret");
    await notifications.refresh();
    expect(notifications.state).toBe("off");
    expect(posted).toEqual([]);
    await notifications.turnOn();
    expect(notifications.state).toBe("on");
    expect(load("calls", [])).toEqual(["t1"]);
    const { p256dh, auth } = SUBSCRIPTION.keys;
    expect(posted).toMatchObject([
      { path: "/api/tables/t1/calls", body: { endpoint: SUBSCRIPTION.endpoint, p256dh, auth }, token: "Bearer secret" },
    ]);
    await notifications.turnOff();
    expect(posted[1]).toMatchObject({ path: "/api/tables/t1/calls/end", body: { endpoint: SUBSCRIPTION.endpoint } });
    expect([notifications.state, load("calls", ["?"])]).toEqual(["off", []]);
  });

  it("are renewed by a visit, and forgotten where the server does not want them", async () => {
    set("granted");
    save("calls", ["t1"]);
    const notifications = new TurnNotifications("t1", "secret");
    await notifications.refresh();
    expect([notifications.state, posted.length]).toEqual(["on", 1]);
    status = 429;
    await notifications.refresh();
    expect([notifications.state, load("calls", ["?"])]).toEqual(["off", []]);
  });

  it("say what stands against them", async () => {
    set("denied");
    const notifications = new TurnNotifications("t1", "secret");
    await notifications.refresh();
    expect(notifications.state).toBe("denied");
    set("default");
    answer = "denied";
    await notifications.turnOn();
    expect(notifications.state).toBe("denied");
    answer = "default";
    await notifications.turnOn();
    expect(notifications.state).toBe("off");
    [answer, service] = ["granted", false];
    await expect(notifications.turnOn()).rejects.toThrow(NoPush);
    expect(posted).toEqual([]);
    Reflect.deleteProperty(navigator, "serviceWorker");
    await notifications.refresh();
    expect(notifications.state).toBe("unsupported");
  });

  it("are refused, not waited for, where no service worker can be registered", async () => {
    set("granted");
    const refused = vi.fn(() => Promise.reject(new DOMException("", "SecurityError")));
    Object.assign(navigator.serviceWorker, { register: refused, ready: new Promise(() => undefined) });
    vi.spyOn(console, "info").mockImplementation(() => undefined);
    vi.resetModules();
    const fresh = await import("./turn-notifications.svelte");
    await expect(new fresh.TurnNotifications("t1", "secret").turnOn()).rejects.toThrow(fresh.NoPush);
    expect(refused).toHaveBeenCalledOnce();
    vi.restoreAllMocks();
  });

  it("are the same for the offer and the menu", () => {
    expect(turnNotificationsOf("t1", "a")).toBe(turnNotificationsOf("t1", "a"));
    expect(turnNotificationsOf("t1", "b")).not.toBe(turnNotificationsOf("t1", "a"));
  });
});
