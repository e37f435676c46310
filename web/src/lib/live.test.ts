import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { GamePage } from "../games/contract";
import { FakeSocket } from "./fakes";
import { LiveTable } from "./live.svelte";
import { mine } from "./mine.svelte";
import { notices } from "./notices.svelte";
import type { Act } from "./wire";

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
  vi.stubGlobal("WebSocket", FakeSocket);
  table = new LiveTable("t1", "secret");
  table.page = { pause: () => 400, sound: () => null, secrets: true } as unknown as GamePage;
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

test("steps are shown one after the other, never more than a second and a half behind", () => {
  hello({ to_act: [1], legal: [] });
  for (let number = 6; number < 16; number++) step(number);
  step(16, { to_act: [0], legal: ["c"] });
  expect(table.legal).toEqual([]);
  const seen = new Set<number>();
  for (let time = 0; time < 1_540; time += 20) {
    vi.advanceTimersByTime(20);
    seen.add(table.number);
  }
  expect(seen.size).toBe(11);
  expect(table.legal).toEqual(["c"]);
  expect(table.view).toEqual({ n: 16 });
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
  step(9, { undone: 5, events: [], actor: 0 });
  expect(notices.list).toHaveLength(1);
});

test("pass and play: a curtain falls before the other hand shows", () => {
  hello({ seats: [0, 2] });
  step(6, { actor: 0, to_act: [2] });
  vi.advanceTimersByTime(2_000);
  expect(table.curtain).toBe(2);
  expect(table.legal).toEqual([]);
  table.look(2);
  expect(socket().sent.at(-1)).toEqual({ type: "look", seat: 2 });
  hello({ seats: [0, 2], seat: 2, number: 6, to_act: [2] });
  expect(table.curtain).toBe(null);
  expect(table.legal).toEqual(["a", "b"]);
});

test("pass and play without secrets needs no curtain", () => {
  table.page = { ...table.page, secrets: false } as GamePage;
  hello({ seats: [0, 2] });
  step(6, { actor: 0, to_act: [2] });
  vi.advanceTimersByTime(2_000);
  expect(table.curtain).toBe(null);
  expect(socket().sent.at(-1)).toEqual({ type: "look", seat: 2 });
});

test("a seat that was given up is forgotten", () => {
  const seated = { table: { ...INFO, status: "playing" as const }, token: "secret", seats: [0], host: true };
  mine.keep(seated as unknown as Parameters<typeof mine.keep>[0]);
  expect(mine.token("t1")).toBe("secret");
  socket().says({ type: "bye", reason: "token", again: false });
  expect(table.gone).toBe("token");
  expect(mine.token("t1")).toBe(undefined);
});

test("the device remembers which seats are its own, and how the table stands", () => {
  const seated = { table: INFO, token: "secret", seats: [], host: true };
  mine.keep(seated as unknown as Parameters<typeof mine.keep>[0]);
  hello({ table: { ...INFO, status: "waiting" }, to_act: [] });
  expect(mine.get("t1")).toMatchObject({ seats: [0], status: "waiting", turn: false });
  socket().says({ type: "table", table: INFO, seats: [0, 1], host: true });
  expect(mine.get("t1")).toMatchObject({ seats: [0, 1], status: "playing" });
});

test("who played in the place of a bot is kept for the log", () => {
  hello({ log: [{ number: 5, actor: 1, time: 0, events: [], eased: "skipped" }] });
  step(6, { eased: "greedy" });
  step(7);
  expect(table.history.steps.map(({ eased }) => eased)).toEqual(["skipped", "greedy", ""]);
});
