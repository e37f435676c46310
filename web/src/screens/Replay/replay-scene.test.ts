import { beforeEach, expect, test, vi } from "vitest";
import { api } from "../../lib/net/api";
import type { Frame, Replay } from "../../lib/net/protocol";
import { Texts } from "../../lib/text/messages";
import { parseMoment, ReplayScene, formatMoment } from "./replay-scene.svelte";
import { TableGame } from "./replay-source";

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
  const scene = new ReplayScene(new TableGame("t"));
  await scene.go(0);
  await scene.go(1);
  expect(scene.events).toEqual([{ key: "moved" }]);
  await scene.go(7);
  expect(scene.events).toEqual([]);
  expect(scene.happened).toEqual([{ key: "moved" }]);
  await scene.go(8, 1);
  expect(scene.events).toEqual([]); // from another viewpoint: no animation
});

test("whoever goes back before other eyes have come is shown to look as before", async () => {
  const scene = new ReplayScene(new TableGame("t"));
  await scene.go(0, 1);
  const others = scene.go(0, 2);
  expect([scene.wantedViewpoint, scene.viewpoint]).toEqual([2, 1]);
  const back = scene.go(0, 1);
  expect(scene.wantedViewpoint).toBe(1);
  await Promise.all([others, back]);
  expect([scene.wantedViewpoint, scene.viewpoint]).toEqual([1, 1]);
  replay.mockRejectedValue(new Error("no line"));
  await expect(scene.go(0, 0)).rejects.toThrow("no line");
  expect(scene.wantedViewpoint).toBe(1);
});

test("steps come in pieces, each asked for once", async () => {
  const scene = new ReplayScene(new TableGame("t"));
  await scene.go(0);
  await scene.go(49);
  await scene.go(60);
  await scene.go(3);
  expect(scene.view).toEqual({ number: 3, seat: null });
  expect(replay.mock.calls.map(([, , first]) => first)).toEqual([0, 50]);
});

test("it ends at the last step, and only there the result is told", async () => {
  const scene = new ReplayScene(new TableGame("t"));
  scene.outcome = { scores: [1, 2] };
  await scene.go(0);
  expect(scene.result).toBeNull();
  await scene.go(1000);
  expect(scene.number).toBe(TOTAL - 1);
  expect(scene.result).toEqual({ scores: [1, 2] });
  await scene.go(-5);
  expect(scene.number).toBe(0);
});

test("whoever goes on before other eyes have opened looks through them all the same", async () => {
  const scene = new ReplayScene(new TableGame("t"));
  await scene.go(0);
  const opening = scene.go(0, 1);
  await scene.go(70);
  await opening;
  expect(scene.view).toEqual({ number: 70, seat: 1 });
  replay.mockRejectedValueOnce(new Error("gone"));
  await expect(scene.go(70, 2)).rejects.toThrow("gone");
  await scene.go(3);
  expect(scene.view).toEqual({ number: 3, seat: 1 });
});

test("what was wanted last is shown, however late the rest comes", async () => {
  const scene = new ReplayScene(new TableGame("t"));
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
  const scene = new ReplayScene(new TableGame("t"));
  replay.mockRejectedValueOnce(new Error("away"));
  await expect(scene.go(0)).rejects.toThrow("away");
  await scene.go(0);
  expect(scene.ready).toBe(true);
});

test("all eyes together see every hand, and what each was told", async () => {
  const secret = (seat: number | null) => (seat === 1 ? "F6" : "hidden");
  replay.mockImplementation(async (_, seat, first, count) => {
    const part = served(seat, first, count);
    for (const one of part.frames) one.events = [{ key: "draw", seat: 1, card: secret(seat) }, { key: "moved" }];
    return part;
  });
  const scene = new ReplayScene(new TableGame("t"));
  scene.names = ["Ann", "Bo"];
  await scene.go(0);
  expect(scene.views).toEqual([]);
  await scene.go(3, "all");
  expect(scene.seat).toBeNull();
  expect(scene.view).toEqual({ number: 3, seat: null });
  expect(scene.views).toEqual([
    { number: 3, seat: 0 },
    { number: 3, seat: 1 },
  ]);
  expect(scene.happened).toEqual([{ key: "draw", seat: 1, card: "F6" }, { key: "moved" }]);
});

test("only whoever looks is spoken to, whatever eyes they look through", async () => {
  const scene = new ReplayScene(new TableGame("t"));
  scene.names = ["Ann", "Bo"];
  scene.messages = new Texts("en", { told: "{seat, person, you {You draw} other {{seat, seat} draws}}" });
  await scene.go(0, 1);
  expect(scene.texts.say("told", { seat: 1 })).toBe("Bo draws");
  scene.reader = 0;
  expect(scene.texts.say("told", { seat: 0 })).toBe("You draw");
  expect(scene.texts.say("told", { seat: 1 })).toBe("Bo draws");
});

test("turns begin with the game, and the turn that is shown is known", async () => {
  const turns = [
    { number: 4, seat: 1, event: { key: "turn", seat: 1 } },
    { number: 9, seat: 0, event: { key: "turn", seat: 0 } },
  ];
  replay.mockImplementation(async (_, seat, first, count) => ({ ...served(seat, first, count), turns }));
  const scene = new ReplayScene(new TableGame("t"));
  await scene.go(0);
  expect(scene.turns.map(({ number }) => number)).toEqual([0, 4, 9]);
  expect(scene.turn).toBe(0);
  await scene.go(4);
  expect(scene.turn).toBe(1);
  await scene.go(60);
  expect(scene.turn).toBe(2);
});

test("a link holds the moment and the eyes", () => {
  for (const [number, viewpoint, text] of [
    [12, null, "12"],
    [0, 1, "0.2"],
    [7, "all", "7.all"],
  ] as const) {
    expect(formatMoment(number, viewpoint)).toBe(text);
    expect(parseMoment(text, 3)).toEqual({ number, viewpoint });
  }
  expect(parseMoment("12.9", 3)).toEqual({ number: 12, viewpoint: null });
  for (const wrong of ["", "x", "12.", "-1", "1e9", "12.all.2"]) expect(parseMoment(wrong, 3)).toBeNull();
});
