import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { FakeSocket } from "./fake-socket";
import { Connection, type ConnectionState } from "./connection";
import type { ByeMessage, ServerMessage } from "./protocol";

let states: ConnectionState[];
let heard: ServerMessage[];
let byes: ByeMessage[];
let later: ByeMessage[];
let connection: Connection;

beforeEach(() => {
  vi.useFakeTimers();
  FakeSocket.all = [];
  vi.stubGlobal("WebSocket", FakeSocket);
  [states, heard, byes, later] = [[], [], [], []];
  connection = new Connection("ws://here/socket", {
    greeting: () => ({ type: "join", token: "t" }),
    message: (message) => heard.push(message),
    state: (state) => states.push(state),
    bye: (message) => byes.push(message),
    later: (message) => later.push(message),
  });
});

afterEach(() => {
  connection.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const socket = () => FakeSocket.all.at(-1) as FakeSocket;

test("it speaks first, and is open once it is greeted", () => {
  socket().opens();
  expect(socket().sent).toEqual([{ type: "join", token: "t" }]);
  expect(states).toEqual([]);
  socket().says({ type: "hello" });
  expect(states).toEqual(["open"]);
  expect(heard).toHaveLength(1);
});

test("it answers a ping at once and sends its own after silence", () => {
  socket().opens();
  socket().says({ type: "ping", n: 7 });
  expect(socket().sent.at(-1)).toEqual({ type: "pong", n: 7 });
  vi.advanceTimersByTime(2_600);
  expect(socket().sent.at(-1)).toEqual({ type: "ping", n: 1 });
  expect(heard).toEqual([]);
});

test("a device that is offline says so, and the line is lost at once", () => {
  socket().opens();
  socket().says({ type: "hello" });
  dispatchEvent(new Event("offline"));
  expect(states).toEqual(["open", "lost"]);
  expect(connection.send({ type: "ping", n: 1 })).toBe(false);
  dispatchEvent(new Event("online"));
  expect(FakeSocket.all).toHaveLength(2);
});

test("nine seconds without a word, and it connects again", () => {
  socket().opens();
  socket().says({ type: "hello" });
  vi.advanceTimersByTime(9_100);
  expect(states).toEqual(["open", "lost"]);
  vi.advanceTimersByTime(1_000);
  expect(FakeSocket.all).toHaveLength(2);
  socket().opens();
  socket().says({ type: "hello" });
  expect(states).toEqual(["open", "lost", "open"]);
});

test("a line that keeps breaking is tried less and less often, but on request at once", () => {
  const waits = [];
  for (let n = 0; n < 5; n++) {
    socket().breaks();
    const before = FakeSocket.all.length;
    let waited = 0;
    while (FakeSocket.all.length === before) {
      vi.advanceTimersByTime(50);
      waited += 50;
    }
    waits.push(waited);
  }
  expect(waits[0]).toBeLessThan(700);
  expect(waits[4]).toBeGreaterThan(2_900);
  expect(waits[4]).toBeLessThan(5_100);
  socket().breaks();
  const before = FakeSocket.all.length;
  connection.retry();
  expect(FakeSocket.all).toHaveLength(before + 1);
});

test("a farewell for good ends it; one that invites back does not", () => {
  socket().opens();
  socket().says({ type: "bye", reason: "slow", again: true });
  expect(states).toEqual(["lost"]);
  vi.advanceTimersByTime(1_000);
  socket().opens();
  socket().says({ type: "bye", reason: "moved", again: false });
  expect(byes).toEqual([{ type: "bye", reason: "moved", again: false }]);
  const before = FakeSocket.all.length;
  vi.advanceTimersByTime(60_000);
  expect(FakeSocket.all).toHaveLength(before);
});

test("closed while it is still connecting, it hangs up once it is through, without a word", () => {
  connection.close();
  expect(socket().readyState).toBe(FakeSocket.CONNECTING);
  socket().opens();
  expect(socket().readyState).toBe(FakeSocket.CLOSED);
  expect(socket().sent).toEqual([]);
  expect(states).toEqual(["closed"]);
});

test("a connection that never stands is given up, so that the next can be tried", () => {
  vi.advanceTimersByTime(9_100);
  expect(socket().readyState).toBe(FakeSocket.CLOSED);
  vi.advanceTimersByTime(1_000);
  expect(FakeSocket.all).toHaveLength(2);
});

test("a line on this device needs no heart-beat, and does not mind that the device is offline", () => {
  const localSocket = new FakeSocket("here");
  const states: ConnectionState[] = [];
  const own = new Connection(() => localSocket, {
    greeting: () => ({ type: "join" }),
    message: () => undefined,
    state: (state) => states.push(state),
    bye: () => undefined,
  });
  localSocket.opens();
  localSocket.says({ type: "hello" });
  dispatchEvent(new Event("offline"));
  vi.advanceTimersByTime(60_000);
  expect(localSocket.sent).toEqual([{ type: "join" }]);
  expect(states).toEqual(["open"]);
  localSocket.breaks();
  expect(states).toEqual(["open", "lost"]);
  own.close();
});

test("a farewell that says when comes with that, and it does not connect before", () => {
  socket().opens();
  socket().says({ type: "bye", reason: "full", again: true, seconds: 30 });
  expect(later).toEqual([{ type: "bye", reason: "full", again: true, seconds: 30 }]);
  vi.advanceTimersByTime(29_000);
  document.dispatchEvent(new Event("visibilitychange"));
  dispatchEvent(new Event("online"));
  expect(FakeSocket.all).toHaveLength(1);
  vi.advanceTimersByTime(2_000);
  expect(FakeSocket.all).toHaveLength(2);
});
