import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Playback, type Shown } from "./playback.svelte";

const PAUSE = 400;
let shows: [number, boolean][];
let calm: boolean;
let playback: Playback;

function step(number: number, more: Partial<Shown> = {}): Shown {
  const stands = { view: {}, prompt: {}, legal: [], toAct: [], asked: 0, result: null };
  return { number, ...stands, events: [{ key: "e" }], actor: 1, ...more };
}

beforeEach(() => {
  vi.useFakeTimers();
  shows = [];
  calm = false;
  playback = new Playback({
    pause: (events) => (events.length ? PAUSE : 0),
    calm: () => calm,
    shows: ({ number }, last) => shows.push([number, last]),
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

test("it is never more than a second and a half behind", () => {
  for (let number = 6; number < 26; number++) playback.add(step(number), false);
  vi.advanceTimersByTime(1_500);
  expect(playback.shown.number).toBe(25);
  expect(shows).toHaveLength(20);
});

test("without motion steps only need to be noticed", () => {
  calm = true;
  playback.add(step(6), false);
  playback.add(step(7), false);
  vi.advanceTimersByTime(121);
  expect(playback.shown.number).toBe(7);
});

test("what is urgent is shown at once, with all that waits before it", () => {
  playback.add(step(6), false);
  playback.add(step(7), false);
  playback.add(step(8), true);
  expect(playback.shown.number).toBe(8);
  expect(playback.settled).toBe(true);
  expect(shows).toEqual([[8, true]]);
});

test("again shows what happened since one acted oneself, and ends where things stand", () => {
  for (const [number, actor] of [
    [6, 1],
    [7, 0],
    [8, 1],
    [9, 2],
  ] as const) {
    playback.add(step(number, { actor }), true);
  }
  playback.again(0);
  expect(playback.shown).toMatchObject({ number: 7, events: [] });
  expect(playback.settled).toBe(false);
  const seen = new Set<number>();
  for (let time = 0; time < 400 + 3 * PAUSE; time += 50) {
    vi.advanceTimersByTime(50);
    seen.add(playback.shown.number);
  }
  expect([...seen]).toEqual([7, 8, 9]);
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
