import { flushSync } from "svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { FakeSocket } from "../../../lib/net/fake-socket";
import type { Lead, LedMessage } from "../../../lib/net/protocol";
import { SEND_INTERVAL, SharedReplay, type Shown } from "./shared-replay.svelte";

let shown: string[];
let lostLead: number;
/** Steps that are still being fetched, if they are not there at once. */
let waiting: (() => void)[] | null;
let made: SharedReplay[];

beforeEach(() => {
  vi.useFakeTimers();
  FakeSocket.all = [];
  vi.stubGlobal("WebSocket", FakeSocket);
  [shown, lostLead, waiting, made] = [[], 0, null, []];
});

afterEach(() => {
  for (const one of made) one.leave();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const socket = () => FakeSocket.all.at(-1) as FakeSocket;
const leads = () => socket().sent.filter((one) => (one as Lead).type === "lead") as Lead[];
const led = (step: number, number: number, more: Partial<LedMessage> = {}): LedMessage => ({
  type: "led",
  together: "party",
  step,
  leading: true,
  number,
  ...more,
});
const moment = (step: number, more: Partial<Shown> = {}): Shown => ({
  step,
  eyes: null,
  marks: [],
  review: false,
  playing: false,
  ...more,
});
const settled = () => vi.advanceTimersByTimeAsync(0);

function join(key?: string): SharedReplay {
  const one = new SharedReplay("table", "party", key, {
    show: async (step, eyes) => {
      shown.push(`${step}.${eyes}`);
      if (waiting) await new Promise<void>((resolve) => waiting?.push(resolve));
    },
    name: () => "Zoé",
    lostLead: () => lostLead++,
  });
  made.push(one);
  greet();
  return one;
}

function greet(): void {
  socket().opens();
  socket().says({ type: "hello" });
}

/** A leader, once it is known that nothing was shown before. */
function leader(): SharedReplay {
  const one = join("k".repeat(40));
  socket().says(led(0, 0, { leading: false, looking: 1 }));
  return one;
}

test("whoever follows goes wherever they are led, and only as far as they can keep up", async () => {
  const one = join();
  expect(socket().sent.at(-1)).toEqual({ type: "follow", together: "party" });
  socket().says(led(0, 0, { leading: false }));
  await settled();
  expect(shown).toEqual([]);
  expect(one.begun).toBe(false);
  waiting = [];
  socket().says(led(3, 1, { eyes: "all" }));
  for (const step of [4, 5, 6]) socket().says(led(step, step - 2));
  waiting.shift()?.();
  await settled();
  expect(shown).toEqual(["3.all", "6.null"]);
  waiting.shift()?.();
  await settled();
  socket().says(led(6, 4, { looking: 5 }));
  await settled();
  expect(shown).toHaveLength(2);
  expect(one.others).toBe(4);
});

test("what is older than what was heard is not shown, but a new line begins anew", async () => {
  join();
  socket().says(led(7, 9));
  socket().says(led(2, 8));
  socket().says({ ...led(1, 10), together: "others" });
  await settled();
  expect(shown).toEqual(["7.null"]);
  socket().breaks();
  await vi.advanceTimersByTimeAsync(1_000);
  greet();
  expect(socket().sent.at(-1)).toEqual({ type: "follow", together: "party" });
  socket().says(led(2, 1));
  await settled();
  expect(shown).toEqual(["7.null", "2.null"]);
});

test("one can step aside at any time, and come back to what is shown by then", async () => {
  const one = join();
  const marks = [{ kind: "ring", at: "h8" }] as const;
  socket().says(led(3, 1, { marks: [...marks] }));
  await settled();
  expect(one.marksAt(3)).toEqual(marks);
  expect(one.marksAt(4)).toEqual([]);
  one.stepAside();
  socket().says(led(8, 2, { eyes: 1 }));
  await settled();
  expect(shown).toEqual(["3.null"]);
  expect(one.marksAt(8)).toEqual([]);
  one.back();
  await settled();
  expect(shown).toEqual(["3.null", "8.1"]);
  one.stepAside();
  one.back();
  await settled();
  expect(shown).toEqual(["3.null", "8.1", "8.1"]);
});

test("it is told when nobody leads any more, and when somebody does again", async () => {
  const one = join();
  socket().says(led(3, 1, { name: "Zoé" }));
  socket().says(led(3, 2, { leading: false }));
  await settled();
  expect(one.led?.leading).toBe(false);
  expect(shown).toEqual(["3.null"]);
  socket().says(led(4, 3));
  await settled();
  expect(one.led?.leading).toBe(true);
  expect(shown.at(-1)).toBe("4.null");
});

test("what could not be fetched is tried again", async () => {
  const one = join();
  const { Refused } = await import("../../../lib/net/api");
  vi.spyOn(shown, "push").mockImplementationOnce(() => {
    throw new Refused(0, { error: "", message: "" });
  });
  socket().says(led(3, 1));
  await settled();
  expect(one.stuck).toBe(true);
  one.retry();
  await settled();
  expect(one.stuck).toBe(false);
  expect(shown).toEqual(["3.null"]);
});

test("whoever leads shows the last of what comes too quickly, and never too much", async () => {
  const one = leader();
  one.present(moment(1, { eyes: "all", marks: [{ kind: "arrow", at: "a1", to: "b2" }] }));
  const [first] = leads();
  expect(first).toMatchObject({ together: "party", name: "Zoé", step: 1, eyes: "all" });
  expect(first?.marks).toEqual([{ kind: "arrow", at: "a1", to: "b2" }]);
  for (let step = 2; step < 60; step++) one.present(moment(step));
  expect(leads()).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(SEND_INTERVAL);
  expect(leads().map(({ step }) => step)).toEqual([1, 59]);
  one.present(moment(59));
  await vi.advanceTimersByTimeAsync(10 * SEND_INTERVAL);
  expect(leads()).toHaveLength(2);
  // the server found it too much all the same
  socket().says({ type: "refused", key: "rate" });
  await vi.advanceTimersByTimeAsync(2_000);
  expect(leads().map(({ step }) => step)).toEqual([1, 59, 59]);
});

test("a reload leads on from where all are; a new line shows all what they missed", async () => {
  const one = join("k".repeat(40));
  one.present(moment(0));
  expect(leads()).toEqual([]);
  socket().says(led(5, 3, { eyes: 2, leading: false, marks: [{ kind: "ring", at: "h8" }] }));
  one.present(moment(5, { eyes: 2, marks: one.marksAt(5) }));
  await settled();
  expect(shown).toEqual(["5.2"]);
  expect(leads()).toHaveLength(1);
  expect(leads()[0]).toMatchObject({ step: 5, eyes: 2, marks: [{ kind: "ring", at: "h8" }] });
  socket().breaks();
  one.present(moment(9));
  await vi.advanceTimersByTimeAsync(1_000);
  greet();
  expect(leads().map(({ step }) => step)).toEqual([9]);
  socket().says(led(5, 3, { eyes: 2 })); // as it was before
  await settled();
  expect(shown).toEqual(["5.2"]);
});

test("whoever leads in two windows sees the same in both, and they do not argue", async () => {
  const one = leader();
  one.present(moment(2));
  socket().says(led(2, 1));
  socket().says(led(6, 2, { review: true }));
  one.present(moment(6));
  await vi.advanceTimersByTimeAsync(5 * SEND_INTERVAL);
  expect(shown).toEqual(["6.null"]);
  expect(leads().map(({ step }) => step)).toEqual([2]);
  socket().says(led(6, 3, { leading: false })); // the other window is closed
  await vi.advanceTimersByTimeAsync(5 * SEND_INTERVAL);
  expect(leads().map(({ step }) => step)).toEqual([2, 6]);
});

test("marks are toggled, and belong to their step", () => {
  const one = leader();
  one.mark(3, { kind: "ring", at: "h8" });
  one.mark(3, { kind: "arrow", at: "h8", to: "f6" });
  expect(one.marksAt(3)).toHaveLength(2);
  one.mark(3, { kind: "ring", at: "h8" });
  expect(one.marksAt(3)).toEqual([{ kind: "arrow", at: "h8", to: "f6" }]);
  expect(one.marksAt(4)).toEqual([]);
  one.mark(4, { kind: "ring", at: "a1" });
  expect(one.marksAt(3)).toEqual([]);
  one.mark(4);
  expect(one.marksAt(4)).toEqual([]);
});

test("a key that the server does not know any more leads nobody; other refusals are told", () => {
  const one = leader();
  one.present(moment(1));
  socket().says({ type: "refused", key: "not_leading" });
  flushSync();
  expect([one.leads, lostLead]).toEqual([false, 1]);
  const other = join();
  socket().says({ type: "refused", key: "together_full" });
  expect(other.wrong).toContain("Too many groups");
  other.retry();
  expect(other.wrong).toBe("");
  expect(socket().sent.at(-1)).toEqual({ type: "follow", together: "party" });
});
