import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Playback, type Shown } from "./playback.svelte";

const PAUSE = 400;
let shows: [number, boolean][];
let passed: number[];
let rests: number;
let wanted: number;
let backlogLimit: number;
let playback: Playback;

function step(number: number, more: Partial<Shown> = {}): Shown {
  const stands = { view: {}, prompt: {}, legal: [], toAct: [], asked: 0, result: null, viewpoint: 0 };
  return { number, ...stands, events: [{ key: "e" }], actor: 1, ...more };
}

beforeEach(() => {
  vi.useFakeTimers();
  shows = [];
  passed = [];
  rests = 0;
  wanted = PAUSE;
  backlogLimit = 30_000;
  playback = new Playback({
    wanted: (events) => (events.length ? wanted : 0),
    backlogLimit: () => backlogLimit,
    passes: ({ number }) => passed.push(number),
    shows: ({ number }, last) => shows.push([number, last]),
    rests: () => rests++,
  });
  playback.begin(step(5, { events: [], actor: -1 }));
});

afterEach(() => {
  playback.stop();
  vi.useRealTimers();
});

test("how things stand is shown at once and acts out nothing", () => {
  expect(playback.shown.number).toBe(5);
  expect(playback.settled).toBe(true);
  expect(shows).toEqual([]);
});

test("each step is seen as long as it wants", () => {
  playback.add(step(6), false);
  playback.add(step(7), false);
  vi.advanceTimersByTime(0);
  expect(playback.shown.number).toBe(6);
  expect(playback.settled).toBe(false);
  vi.advanceTimersByTime(PAUSE - 1);
  expect(playback.shown.number).toBe(6);
  vi.advanceTimersByTime(1);
  expect(playback.shown.number).toBe(7);
  expect(shows).toEqual([
    [6, false],
    [7, true],
  ]);
});

test("a step that comes while another is being seen waits for it", () => {
  playback.add(step(6), false);
  vi.advanceTimersByTime(100);
  playback.add(step(7), false);
  vi.advanceTimersByTime(PAUSE - 101);
  expect(playback.shown.number).toBe(6);
  vi.advanceTimersByTime(1);
  expect(playback.shown.number).toBe(7);
});

test("the newest step rests when it has been seen, and can be answered before", () => {
  playback.add(step(6), false);
  vi.advanceTimersByTime(0);
  expect([playback.settled, playback.resting, rests]).toEqual([true, false, 0]);
  vi.advanceTimersByTime(PAUSE - 1);
  expect(playback.resting).toBe(false);
  vi.advanceTimersByTime(1);
  expect([playback.resting, rests]).toEqual([true, 1]);
});

test("what would take too long goes by faster, and none of it is left out", () => {
  backlogLimit = 2_000;
  for (let number = 6; number < 26; number++) playback.add(step(number), false);
  vi.advanceTimersByTime(20 * PAUSE - 1_000);
  expect(playback.shown.number).toBe(25);
  expect(shows).toHaveLength(20);
});

test("without end, each step waits for somebody's word", () => {
  wanted = backlogLimit = Infinity;
  playback.add(step(6), false);
  playback.add(step(7), false);
  vi.advanceTimersByTime(600_000);
  expect(playback.shown.number).toBe(6);
  playback.onward();
  expect([playback.shown.number, playback.resting]).toEqual([7, false]);
  vi.advanceTimersByTime(600_000);
  expect(rests).toBe(0);
  playback.onward();
  expect([playback.resting, rests]).toEqual([true, 1]);
});

test("without any time at all, every step is passed and the newest is shown", () => {
  wanted = 0;
  playback.add(step(6), false);
  playback.add(step(7), false);
  vi.advanceTimersByTime(10);
  expect([playback.shown.number, playback.resting]).toEqual([7, true]);
  expect(passed).toEqual([6, 7]);
});

test("a click shows the newest step, another one ends its time", () => {
  for (const number of [6, 7, 8]) playback.add(step(number), false);
  playback.skip();
  expect([playback.shown.number, playback.settled, playback.resting]).toEqual([8, true, false]);
  expect(passed).toEqual([6, 7, 8]);
  playback.skip();
  expect(playback.resting).toBe(true);
});

test("what is urgent is shown at once, with all that waits before it", () => {
  playback.add(step(6), false);
  playback.add(step(7), false);
  playback.add(step(8), true);
  expect(playback.shown.number).toBe(8);
  expect(playback.settled).toBe(true);
  expect(shows).toEqual([[8, true]]);
});

test("again shows what one did oneself and what happened since, and ends where things stand", () => {
  for (const [number, actor] of [
    [6, 1],
    [7, 0],
    [8, 1],
    [9, 2],
  ] as const) {
    playback.add(step(number, { actor }), true);
  }
  playback.again(0);
  expect(playback.shown).toMatchObject({ number: 6, events: [] });
  expect(playback.settled).toBe(false);
  const seen = new Set<number>();
  for (let time = 0; time < 400 + 4 * PAUSE; time += 50) {
    vi.advanceTimersByTime(50);
    seen.add(playback.shown.number);
  }
  expect([...seen]).toEqual([6, 7, 8, 9]);
  expect(playback.settled).toBe(true);
});

test("what happens while something is shown again comes after it", () => {
  playback.add(step(6), true);
  playback.again(0);
  playback.add(step(7), false);
  vi.advanceTimersByTime(5_000);
  expect(playback.shown.number).toBe(7);
  expect(playback.settled).toBe(true);
});

test("a click ends what is shown again", () => {
  playback.add(step(6), true);
  playback.again(0);
  playback.skip();
  expect(playback.shown).toMatchObject({ number: 6, events: [] });
  expect(playback.settled).toBe(true);
});

test("a new account of things forgets what waited", () => {
  playback.add(step(6), false);
  playback.begin(step(9, { events: [] }));
  vi.advanceTimersByTime(5_000);
  expect(playback.shown.number).toBe(9);
  expect(shows).toEqual([]);
});

test("what is held is shown and seen once it is let go", () => {
  playback.hold();
  playback.add(step(6), true);
  playback.add(step(7), false);
  vi.advanceTimersByTime(60_000);
  expect([playback.shown.number, rests]).toEqual([6, 0]);
  playback.release();
  vi.advanceTimersByTime(PAUSE);
  expect([playback.shown.number, playback.resting]).toEqual([7, true]);

  playback.hold();
  playback.add(step(8), true);
  playback.release();
  vi.advanceTimersByTime(PAUSE);
  expect(playback.resting).toBe(true);
});

test("what everybody saw can be shown again to whoever takes the device, and nothing else", () => {
  playback.add(step(6, { viewpoint: 0 }), true);
  playback.begin(step(7, { viewpoint: null, events: [] }), "public");
  playback.add(step(8, { viewpoint: null }), true);
  playback.begin(step(8, { viewpoint: 1, events: [] }), "public");
  playback.again(1);
  const viewpoint = new Set<number | null>();
  while (!playback.settled) {
    viewpoint.add(playback.shown.viewpoint);
    vi.advanceTimersByTime(50);
  }
  expect(viewpoint).toEqual(new Set([null, 1]));
});
