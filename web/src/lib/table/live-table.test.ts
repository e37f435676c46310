import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { GamePage } from "../../games/contract";
import { FakeSocket } from "../net/fake-socket";
import { LiveTable } from "./live-table.svelte";
import { myTables } from "../device/my-tables.svelte";
import { notices } from "../ui/notices.svelte";
import { myRecord } from "../results/my-record.svelte";
import { settings } from "../device/settings.svelte";
import type { Act } from "../net/protocol";

const PAUSE = 400;
const INFO = {
  id: "t1",
  code: "abc",
  game: "recess",
  rules: "1",
  options: {},
  seats: [0, 1, 2].map((seat) => ({ seat, kind: seat ? "bot" : "person", name: seat ? "" : "Zoé", level: "normal" })),
  visibility: "link",
  timer: {},
  status: "playing",
  created: 0,
};
const HELLO = { type: "hello", protocol: 1, table: INFO, seat: 0, seats: [0], number: 5, now: 0, asked: 5 };

let table: LiveTable;
const socket = () => FakeSocket.all.at(-1) as FakeSocket;
const acts = () => socket().sent.filter((message) => (message as Act).type === "act") as Act[];

beforeEach(() => {
  vi.useFakeTimers();
  FakeSocket.all = [];
  notices.list = [];
  settings.pace = "instant";
  settings.obvious = true;
  vi.stubGlobal("WebSocket", FakeSocket);
  table = new LiveTable("t1", "secret");
  table.open({ pause: () => PAUSE, sound: () => null, secrets: true } as unknown as GamePage);
  socket().opens();
});

afterEach(() => {
  table.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function hello(more: object = {}): void {
  socket().says({ ...HELLO, view: { n: 5 }, prompt: { key: "prompt.x" }, legal: ["a", "b"], to_act: [0], ...more });
}

function step(number: number, more: object = {}): void {
  const told = { first: number, number, actor: 1, time: 0, events: [{ key: "e" }], asked: number };
  socket().says({ type: "step", ...told, view: { n: number }, prompt: {}, to_act: [1], ...more });
}

test("an action is sent with the last number, and is done when its step comes", () => {
  hello();
  table.act("a");
  expect(acts()).toMatchObject([{ action: "a", at: 5, seat: 0 }]);
  expect(table.busy).toBe(true);
  table.act("b");
  expect(acts()).toHaveLength(1);
  step(6, { actor: 0, id: acts()[0]?.id });
  expect(table.busy).toBe(false);
});

test("an action whose answer got lost is sent again with the same id", () => {
  hello();
  table.act("a");
  const sent = acts()[0];
  socket().breaks();
  vi.advanceTimersByTime(1_000);
  socket().opens();
  expect(socket().sent[0]).toMatchObject({ type: "join", token: "secret", last: 5 });
  hello();
  expect(acts()).toEqual([sent]);
  socket().says({ type: "ack", id: sent?.id, number: 6 });
  expect(table.busy).toBe(false);
});

test("without a line nothing is sent, and the person is told", () => {
  hello();
  socket().breaks();
  table.act("a");
  expect(table.busy).toBe(false);
  expect(notices.list).toHaveLength(1);
});

test("a refusal frees the hand and says why", () => {
  hello();
  table.act("zzz");
  socket().says({ type: "refused", id: acts()[0]?.id, message: "No.", rule: "R14", key: "" });
  expect(table.busy).toBe(false);
  expect(notices.list[0]).toMatchObject({ text: "No.", rule: "R14", game: "recess" });
});

test("one message at a time, gone with the next move", () => {
  hello();
  for (const message of ["No.", "Not there either."]) {
    table.act("zzz");
    socket().says({ type: "refused", id: acts().at(-1)?.id, message, key: "" });
  }
  expect(notices.list.map(({ text }) => text)).toEqual(["Not there either."]);
  table.act("a");
  expect(notices.list).toEqual([]);
});

test("steps are shown one after the other, and can be answered when the newest is on the screen", () => {
  settings.pace = "normal";
  hello({ to_act: [1], legal: [] });
  for (let number = 6; number < 9; number++) step(number);
  step(9, { to_act: [0], legal: ["c", "d"] });
  expect(table.legal).toEqual([]);
  vi.advanceTimersByTime(3 * PAUSE - 1);
  expect(table.number).toBe(8);
  vi.advanceTimersByTime(1);
  expect([table.number, table.legal, table.resting]).toEqual([9, ["c", "d"], false]);
  vi.advanceTimersByTime(PAUSE);
  expect(table.resting).toBe(true);
});

test("the first game of a kind is slow", () => {
  settings.pace = "auto";
  hello({ to_act: [1], legal: [] });
  step(6);
  step(7);
  vi.advanceTimersByTime(PAUSE + 1);
  expect(table.number).toBe(6);
  vi.advanceTimersByTime(PAUSE);
  expect(table.number).toBe(7);
});

test("whoever's time runs does not wait long for what happened", () => {
  settings.pace = "slow";
  table.page = { ...table.page, pause: () => 4_000 } as unknown as GamePage;
  hello({ table: { ...INFO, timer: { kind: "turn", amount: 60 } }, to_act: [1], legal: [] });
  for (let number = 6; number < 9; number++) step(number, { clocks: [{ seat: 0, ends: 0 }] });
  vi.advanceTimersByTime(3_000);
  expect(table.number).toBe(8);
});

test("how the game began is shown from its beginning", () => {
  settings.pace = "normal";
  const stood = (number: number) => ({ number, actor: 1, events: [{ key: "e" }], view: { n: number }, prompt: {} });
  hello({ opening: [3, 4, 5].map((number) => ({ ...stood(number), to_act: [1] })) });
  expect([table.number, table.view]).toEqual([3, { n: 3 }]);
  vi.advanceTimersByTime(0);
  expect([table.number, table.legal]).toEqual([4, []]);
  vi.advanceTimersByTime(PAUSE);
  expect([table.number, table.legal]).toEqual([5, ["a", "b"]]);
});

test("the only answer is given at once where all others are bots", () => {
  hello({ legal: ["a"] });
  expect(acts()).toMatchObject([{ action: "a" }]);
});

test("the only answer is not asked for while what led to it is shown", () => {
  settings.pace = "normal";
  hello({ to_act: [1], legal: [] });
  step(6, { to_act: [0], legal: ["a"], prompt: { key: "prompt.x" } });
  vi.advanceTimersByTime(1);
  expect([table.number, table.legal, table.prompt, acts()]).toEqual([6, [], {}, []]);
  vi.advanceTimersByTime(PAUSE);
  expect(acts()).toMatchObject([{ action: "a" }]);
});

test("the only answer is left to whoever wants to give it, or has taken something back", () => {
  settings.obvious = false;
  hello({ legal: ["a"] });
  expect(acts()).toEqual([]);
  settings.obvious = true;
  step(6, { undone: 4, actor: 0, to_act: [0], legal: ["a"], events: [] });
  vi.advanceTimersByTime(60_000);
  expect(acts()).toEqual([]);
});

test("among people the only answer is given after a moment", () => {
  const seats = INFO.seats.map((seat) => ({ ...seat, kind: "person" }));
  hello({ table: { ...INFO, seats }, legal: ["a"] });
  vi.advanceTimersByTime(1_400);
  expect(acts()).toEqual([]);
  vi.advanceTimersByTime(3_200);
  expect(acts()).toMatchObject([{ action: "a" }]);
});

test("what is shown is told in sentences, also what is passed over", () => {
  hello({ to_act: [1], legal: [] });
  for (let number = 6; number < 9; number++) step(number, { events: [{ key: `e${number}` }] });
  table.skip();
  expect(table.heard.map(({ text }) => text)).toEqual(["⟨event.e6⟩", "⟨event.e7⟩", "⟨event.e8⟩"]);
  expect(table.news).toBe("⟨event.e8⟩");
});

test("a click shows at once how things stand", () => {
  hello({ to_act: [1], legal: [] });
  for (let number = 6; number < 12; number++) step(number);
  table.skip();
  expect(table.number).toBe(11);
  expect(table.settled).toBe(true);
});

test("what comes while all are asked at once is shown at once, and the question stays", () => {
  table.page = { ...table.page, urgent: (legal: string[]) => legal.includes("a") } as GamePage;
  hello();
  step(6, { to_act: [0, 1], legal: ["a", "b"] });
  expect(table.number).toBe(6);
  expect(table.legal).toEqual(["a", "b"]);
  step(7, { to_act: [0], legal: ["a", "b"] });
  expect(table.number).toBe(7);
  expect(table.legal).toEqual(["a", "b"]);
});

test("what is taken back leaves the log, and whoever did not do it is told", () => {
  hello();
  step(6);
  step(7);
  expect(table.history.steps.map((one) => one.number)).toEqual([6, 7]);
  step(8, { undone: 6, events: [] });
  expect(table.history.steps.map((one) => one.number)).toEqual([6, 8]);
  expect(table.number).toBe(8);
  expect(notices.list).toHaveLength(1);
});

test("whoever takes something back is told what it was", () => {
  hello();
  step(6, { actor: 0, events: [{ key: "walk" }] });
  step(7);
  expect(table.undoes).toBe("⟨event.walk⟩");
  step(8, { undone: 5, events: [], actor: 0 });
  expect(notices.list[0]?.text).toContain("⟨event.walk⟩");
});

test("pass and play: what happened is shown to all before the curtain falls", () => {
  settings.pace = "normal";
  const both = { seats: [0, 2] };
  hello(both);
  expect([table.begun, socket().sent.at(-1)]).toEqual([false, { type: "look", seat: null }]);
  hello({ ...both, seat: null, legal: [] });
  expect(table.curtain).toBe(0);
  table.switchViewpoint(0);
  expect(table.curtain).toBe(0);
  hello(both);
  expect([table.curtain, table.legal]).toEqual([null, ["a", "b"]]);

  step(6, { actor: 0, to_act: [2], view: { secret: true } });
  expect(socket().sent.at(-1)).toEqual({ type: "look", seat: null });
  expect(table.view).toEqual({ n: 5 });
  const log = [4, 6].map((number) => ({ number, actor: 0, time: 0, events: [{ key: `e${number}` }] }));
  hello({ ...both, seat: null, number: 6, view: { n: 6 }, to_act: [2], legal: [], log });
  expect([table.view, table.events, table.curtain]).toEqual([{ n: 6 }, [{ key: "e6" }], null]);
  vi.advanceTimersByTime(PAUSE);
  expect(table.curtain).toBe(2);
  table.switchViewpoint(2);
  hello({ ...both, seat: 2, number: 6, to_act: [2] });
  expect([table.curtain, table.legal]).toEqual([null, ["a", "b"]]);
});

const BOTH = { seats: [0, 2] };
const log = (...numbers: number[]) =>
  numbers.map((number) => ({ number, actor: number === 6 ? 0 : 1, time: 0, events: [{ key: `e${number}` }] }));
const looks = () => socket().sent.filter((message) => (message as { type: string }).type === "look");
const said = () => table.heard.map(({ text }) => text);

/** Two people share this device, and the first of them holds it and is asked. */
function taken(): void {
  settings.pace = "normal";
  hello(BOTH);
  hello({ ...BOTH, seat: null, legal: [] });
  table.switchViewpoint(0);
  hello(BOTH);
  socket().sent = [];
}

/** What everybody may see, with all that happened so far. */
function everybody(number: number, more: object = {}): void {
  const steps = Array.from({ length: number - 5 }, (_, at) => 6 + at);
  hello({ ...BOTH, seat: null, number, view: { n: number }, to_act: [2], legal: [], log: log(...steps), ...more });
}

test("pass and play: what comes before the server looks with everybody's eyes is asked for once, and shown step by step", () => {
  taken();
  step(6, { actor: 0 });
  step(7);
  step(8, { to_act: [0], legal: ["c", "d"], view: { secret: true } });
  step(9, { to_act: [2] });
  expect(looks()).toEqual([{ type: "look", seat: null }]);
  expect([table.view, table.legal, said()]).toEqual([{ n: 5 }, [], []]);
  everybody(9);
  for (const number of [6, 7, 8, 9]) {
    expect([table.events, table.curtain]).toEqual([[{ key: `e${number}` }], null]);
    vi.advanceTimersByTime(PAUSE);
  }
  expect(table.curtain).toBe(2);
  expect(said()).toEqual(["⟨event.e6⟩", "⟨event.e7⟩", "⟨event.e8⟩", "⟨event.e9⟩"]);
});

test("pass and play: whatever the server says again, what is on the screen stays there for its time", () => {
  taken();
  step(6, { actor: 0 });
  everybody(6);
  vi.advanceTimersByTime(PAUSE / 2);
  step(7, { to_act: [2], events: [{ key: "e7" }] });
  everybody(7);
  expect([table.number, table.curtain]).toEqual([6, null]);
  vi.advanceTimersByTime(PAUSE / 2);
  expect(table.number).toBe(7);
  everybody(7);
  vi.advanceTimersByTime(PAUSE - 1);
  expect(table.curtain).toBe(null);
  vi.advanceTimersByTime(1);
  expect(table.curtain).toBe(2);
  expect(said()).toEqual(["⟨event.e6⟩", "⟨event.e7⟩"]);
});

test("pass and play: a curtain waits for what happens after it fell", () => {
  taken();
  step(6, { actor: 0, to_act: [2] });
  everybody(6);
  vi.advanceTimersByTime(PAUSE);
  expect(table.curtain).toBe(2);
  step(7, { to_act: [1, 2] });
  vi.advanceTimersByTime(PAUSE - 1);
  expect([table.number, table.curtain]).toEqual([7, null]);
  vi.advanceTimersByTime(1);
  expect(table.curtain).toBe(2);
});

test("pass and play: what happened while the line was down is shown, and what was seen is not shown again", () => {
  taken();
  step(6, { actor: 0, to_act: [1] });
  everybody(6, { to_act: [1] });
  vi.advanceTimersByTime(PAUSE);
  socket().breaks();
  vi.advanceTimersByTime(1_000);
  socket().opens();
  hello({ ...BOTH, number: 7 });
  everybody(7);
  expect([table.events, table.curtain]).toEqual([[{ key: "e7" }], null]);
  vi.advanceTimersByTime(PAUSE);
  expect([table.curtain, said()]).toEqual([2, ["⟨event.e6⟩", "⟨event.e7⟩"]]);
});

test("pass and play: the opening is shown to those who come, and not to those who come back", () => {
  settings.pace = "normal";
  hello(BOTH);
  everybody(7, { log: log(7) });
  expect(table.events).toEqual([{ key: "e7" }]);
  table.close();
  table = new LiveTable("t1", "secret");
  table.open({ pause: () => PAUSE, sound: () => null, secrets: true } as unknown as GamePage);
  socket().opens();
  hello(BOTH);
  everybody(7);
  expect([table.events, table.curtain, said()]).toEqual([[], 2, []]);
});

test("pass and play: other eyes that were asked for too often are asked for later, and others not again", () => {
  taken();
  step(6, { actor: 0, to_act: [2] });
  socket().says({ type: "refused", id: "", message: "Too often.", key: "rate" });
  vi.advanceTimersByTime(1_000);
  expect(looks()).toHaveLength(2);
  everybody(6);
  vi.advanceTimersByTime(PAUSE);
  table.switchViewpoint(2);
  socket().says({ type: "refused", id: "", message: "Not yours.", key: "not_yours" });
  vi.advanceTimersByTime(2_000);
  expect(looks()).toHaveLength(3);
  expect(table.curtain).toBe(2);
});

test("pass and play: a line that comes back shows nobody's hand by itself", () => {
  hello({ seats: [0, 2] });
  hello({ seats: [0, 2], seat: null, legal: [] });
  socket().breaks();
  vi.advanceTimersByTime(1_000);
  socket().opens();
  hello({ seats: [0, 2], view: { hand: "0" } });
  expect(socket().sent.at(-1)).toEqual({ type: "look", seat: null });
  expect(table.view).toEqual({ n: 5 });
});

test("pass and play without secrets needs no curtain", () => {
  settings.pace = "normal";
  table.page = { ...table.page, secrets: false } as GamePage;
  hello({ seats: [0, 2] });
  step(6, { actor: 0, to_act: [2] });
  vi.advanceTimersByTime(PAUSE - 1);
  expect(socket().sent.at(-1)).not.toMatchObject({ type: "look" });
  vi.advanceTimersByTime(1);
  expect(table.curtain).toBe(null);
  expect(socket().sent.at(-1)).toEqual({ type: "look", seat: 2 });
});

test("a seat that was given up is forgotten", () => {
  const seated = { table: { ...INFO, status: "playing" as const }, token: "secret", seats: [0], host: true };
  myTables.keep(seated as unknown as Parameters<typeof myTables.keep>[0]);
  expect(myTables.token("t1")).toBe("secret");
  socket().says({ type: "bye", reason: "token", again: false });
  expect(table.gone).toBe("token");
  expect(myTables.token("t1")).toBe(undefined);
});

test("the device remembers which seats are its own, and how the table stands", () => {
  const seated = { table: INFO, token: "secret", seats: [], host: true };
  myTables.keep(seated as unknown as Parameters<typeof myTables.keep>[0]);
  hello({ table: { ...INFO, status: "waiting" }, to_act: [] });
  expect(myTables.get("t1")).toMatchObject({ seats: [0], status: "waiting", turn: false });
  socket().says({ type: "table", table: INFO, seats: [0, 1], host: true });
  expect(myTables.get("t1")).toMatchObject({ seats: [0, 1], status: "playing" });
});

test("who played in the place of a bot is kept for the log", () => {
  hello({ log: [{ number: 5, actor: 1, time: 0, events: [], eased: "skipped" }] });
  step(6, { eased: "greedy" });
  step(7);
  expect(table.history.steps.map(({ eased }) => eased)).toEqual(["skipped", "greedy", ""]);
});

test("nothing is shown before there is somebody to draw it", () => {
  settings.pace = "normal";
  const waiting = new LiveTable("t1", "secret");
  socket().opens();
  const stood = { actor: 1, events: [{ key: "e" }], view: {}, prompt: {}, to_act: [1] };
  hello({ opening: [3, 4, 5].map((number) => ({ number, ...stood })) });
  vi.advanceTimersByTime(60_000);
  expect(waiting.number).toBe(3);
  waiting.open({ pause: () => PAUSE, sound: () => null, secrets: true } as unknown as GamePage);
  vi.advanceTimersByTime(0);
  expect(waiting.number).toBe(4);
  vi.advanceTimersByTime(PAUSE);
  expect(waiting.number).toBe(5);
  waiting.close();
});

test("how a game ended is written down once it has been seen, and once only", () => {
  myRecord.forgetAll();
  const result = { scores: [3, 1, 2], ranking: [[0], [2], [1]] };
  const end = Date.now() + 1_000;
  hello({ log: [{ number: 5, actor: 0, time: end - 500, events: [] }] });
  expect(myRecord.book.games).toEqual([]);
  step(6, { time: end, to_act: [], legal: [], result });
  vi.advanceTimersByTime(5_000);
  hello({ number: 6, to_act: [], legal: [], result, log: [] });
  expect(myRecord.book.games).toMatchObject([
    { id: "t1", time: end, lasted: 500, own: [0], scores: [3, 1, 2], levels: ["", "normal", "normal"] },
  ]);
});
