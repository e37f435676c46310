import { beforeEach, expect, test, vi } from "vitest";
import { api } from "../lib/api";
import type { Frame, Replay } from "../lib/wire";
import { ReplayScene } from "./scene.svelte";

const TOTAL = 120;

function frame(number: number, seat: number | null): Frame {
  return { number, actor: 0, action: "pass", time: 0, events: [{ key: "moved" }], view: { number, seat } };
}

/** The server's part: all steps from `first`, as many as wanted and as there are. */
function served(seat: number | null, first: number, count: number): Replay {
  const frames = Array.from({ length: Math.min(count, TOTAL - first) }, (_, at) => frame(first + at, seat));
  return { seat, total: TOTAL, frames };
}

const replay = vi.spyOn(api, "replay");

beforeEach(() => {
  replay.mockReset();
  replay.mockImplementation(async (_, seat, first, count) => served(seat, first, count));
});

test("a step that follows is acted out, a jump is not", async () => {
  const scene = new ReplayScene("t");
  await scene.go(0);
  await scene.go(1);
  expect(scene.events).toEqual([{ key: "moved" }]);
  await scene.go(7);
  expect(scene.events).toEqual([]);
  expect(scene.happened).toEqual([{ key: "moved" }]);
  await scene.go(8, 1);
  expect(scene.events).toEqual([]); // through other eyes: nothing moves, one looks anew
});

test("steps come in pieces, each asked for once", async () => {
  const scene = new ReplayScene("t");
  await scene.go(0);
  await scene.go(49);
  await scene.go(60);
  await scene.go(3);
  expect(scene.view).toEqual({ number: 3, seat: null });
  expect(replay.mock.calls.map(([, , first]) => first)).toEqual([0, 50]);
});

test("it ends at the last step, and only there the result is told", async () => {
  const scene = new ReplayScene("t");
  scene.outcome = { scores: [1, 2] };
  await scene.go(0);
  expect(scene.result).toBeNull();
  await scene.go(1000);
  expect(scene.number).toBe(TOTAL - 1);
  expect(scene.result).toEqual({ scores: [1, 2] });
  await scene.go(-5);
  expect(scene.number).toBe(0);
});

test("what was wanted last is shown, however late the rest comes", async () => {
  const scene = new ReplayScene("t");
  await scene.go(0);
  let late = () => {};
  replay.mockImplementationOnce(
    (_, seat, first, count) => new Promise((done) => (late = () => done(served(seat, first, count)))),
  );
  const slow = scene.go(100);
  await scene.go(5);
  late();
  await slow;
  expect(scene.number).toBe(5);
});

test("a piece that could not be loaded is asked for again", async () => {
  const scene = new ReplayScene("t");
  replay.mockRejectedValueOnce(new Error("away"));
  await expect(scene.go(0)).rejects.toThrow("away");
  await scene.go(0);
  expect(scene.ready).toBe(true);
});
