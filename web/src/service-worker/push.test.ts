import { describe, expect, it, vi } from "vitest";
import { listenForPush, read, show, words, type TurnNotification, type Worker } from "./push";

const CALL: TurnNotification = {
  title: "Recess!",
  body: "C’est à toi de jouer, Bo.",
  until: "Jusqu’au {when}.",
  ends: Date.UTC(2026, 10, 24, 12),
  language: "fr",
  table: "k7c2mzq4tn8w3xrp",
  tag: "tag",
  turn: 5,
};

interface Shown {
  title: string;
  tag: string;
  data: unknown;
  renotify: boolean;
  silent: boolean;
  body: string;
}

/** A service worker with windows at these addresses, those with a star in sight. */
function worker(...places: string[]) {
  const shown: (Shown & { close: () => void })[] = [];
  const badge = vi.fn(() => Promise.resolve());
  const windows = places.map((place) => ({
    url: `https://play.example.org${place.replace("*", "")}`,
    visibilityState: place.endsWith("*") ? "visible" : "hidden",
    focus: vi.fn(() => Promise.resolve()),
  }));
  const openWindow = vi.fn(() => Promise.resolve());
  const heard = new Map<string, (event: never) => void>();
  const one = {
    registration: {
      showNotification: (title: string, how: Partial<Shown>) => {
        const before = shown.findIndex(({ tag }) => tag === how.tag);
        if (before >= 0) shown.splice(before, 1);
        const made = { renotify: false, silent: false, data: null, body: "", tag: "", ...how, title };
        shown.push({
          ...made,
          close: () =>
            shown.splice(
              shown.findIndex(({ tag }) => tag === made.tag),
              1,
            ),
        });
        return Promise.resolve();
      },
      getNotifications: ({ tag }: { tag?: string } = {}) =>
        Promise.resolve(shown.filter((one) => tag === undefined || one.tag === tag)),
    },
    clients: { matchAll: () => Promise.resolve(windows), openWindow },
    location: { origin: "https://play.example.org" },
    navigator: { setAppBadge: badge },
    addEventListener: (kind: string, hear: (event: never) => void) => heard.set(kind, hear),
  };
  /** Let something happen to it, until it is done. */
  async function happen(kind: string, event: object): Promise<void> {
    const work: Promise<unknown>[] = [];
    heard.get(kind)?.({ ...event, waitUntil: (one: Promise<unknown>) => work.push(one) } as never);
    await Promise.all(work);
  }
  return { worker: one as unknown as Worker, shown, badge, windows, openWindow, happen };
}

const data = (value: unknown) => ({ json: () => value });

describe("calls", () => {
  it("reads what the server sends and nothing else", () => {
    expect(read(data(CALL))).toEqual(CALL);
    const wrong = [null, 1, {}, { ...CALL, table: "../x" }, { ...CALL, body: 1 }, { ...CALL, ends: "soon" }];
    for (const one of wrong) expect(read(data(one))).toBeNull();
    const unreadable = { json: () => JSON.parse("{") as unknown };
    for (const one of [undefined, null, unreadable]) expect(read(one)).toBeNull();
  });

  it("says until when, in the reader's language", () => {
    expect(words(CALL)).toMatch(/^C’est à toi de jouer, Bo\.\nJusqu’au mardi 24 novembre à 1\d:\d\d\.$/);
    expect(words({ ...CALL, language: "en", until: "Until {when}." })).toMatch(
      /Until Tuesday.? 24 November at \d+:\d\d/,
    );
  });

  it("shows one for each table, and makes no second noise for the same turn", async () => {
    const { worker: one, shown, badge } = worker("/");
    await show(one, CALL);
    await show(one, CALL);
    expect(shown).toMatchObject([{ title: "Recess!", tag: "tag", renotify: false, silent: false }]);
    await show(one, { ...CALL, turn: 9 });
    expect(shown).toMatchObject([{ tag: "tag", renotify: true, data: { table: CALL.table, turn: 9 } }]);
    await show(one, { ...CALL, table: "other", tag: "other" });
    expect(shown).toHaveLength(2);
    expect(badge).toHaveBeenLastCalledWith(2);
  });

  it("does not stay where somebody looks at that very table", async () => {
    for (const [place, stays] of [
      [`/t/${CALL.table}*`, 0],
      [`/t/${CALL.table}`, 1],
      ["/t/other*", 1],
    ] as const) {
      const { worker: one, shown } = worker(place);
      await show(one, CALL);
      expect(shown).toHaveLength(stays);
    }
  });

  it("shows something even of what it cannot read: browsers want that", async () => {
    const { worker: one, shown, happen } = worker();
    listenForPush(one);
    await happen("push", { data: null });
    expect(shown).toMatchObject([{ title: "Préau" }]);
  });

  it("leads to the table at a click, to a window that is there already if it can", async () => {
    const there = worker("/", `/t/${CALL.table}`);
    listenForPush(there.worker);
    const close = vi.fn();
    await there.happen("notificationclick", { notification: { data: { table: CALL.table }, close } });
    expect(close).toHaveBeenCalledOnce();
    expect(there.windows[1]?.focus).toHaveBeenCalledOnce();
    expect(there.openWindow).not.toHaveBeenCalled();
    const none = worker("/t/other*");
    listenForPush(none.worker);
    await none.happen("notificationclick", { notification: { data: { table: CALL.table }, close } });
    expect(none.openWindow).toHaveBeenCalledWith(`/t/${CALL.table}`);
    await none.happen("notificationclick", { notification: { data: { table: "//evil.example" }, close } });
    expect(none.openWindow).toHaveBeenLastCalledWith("/");
  });
});
