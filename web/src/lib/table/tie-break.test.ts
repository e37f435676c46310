import { beforeEach, expect, test } from "vitest";
import { Pulls, REPORT } from "./tie-break";
import type { Contest, Pull } from "../net/protocol";

const SERVER = 1_800_000_000_000;
let sent: Pull[];
let online: boolean;
let pulls: Pulls;

function contest(more: Partial<Contest> = {}): Contest {
  const pullers = [{ seat: 0 }, { seat: 2 }];
  return { phase: "pulling", rule: "", pullers, round: 1, rounds: 3, starts: SERVER + 3_000, lasts: 5_000, ...more };
}

beforeEach(() => {
  sent = [];
  online = true;
  pulls = new Pulls((message) => {
    if (online) sent.push(message);
    return online;
  });
  pulls.hear(contest(), SERVER, 1_000);
});

test("the round goes and ends by this device's own clock", () => {
  expect(pulls.wait(1_000)).toBe(3_000);
  expect([3_999, 4_000, 8_999, 9_000].map((now) => pulls.stage(now))).toEqual(["ready", "go", "go", "stop"]);
});

test("only taps in time count", () => {
  for (const now of [3_999, 4_000, 6_000, 8_999, 9_000]) pulls.tap(0, now);
  expect(pulls.of(0)).toBe(3);
});

test("what is told of the same round again does not begin it anew", () => {
  pulls.tap(0, 5_000);
  pulls.hear(contest(), SERVER + 900, 2_500);
  expect(pulls.stage(3_999)).toBe("ready");
  expect(pulls.stage(4_000)).toBe("go");
  expect(pulls.of(0)).toBe(1);
});

test("after a reload the server's count goes on, and the time that is left", () => {
  const again = new Pulls(() => true);
  again.hear(contest({ pullers: [{ seat: 0, count: 12 }] }), SERVER + 5_000, 50);
  expect(again.stage(50)).toBe("go");
  expect(again.stage(3_051)).toBe("stop");
  again.tap(0, 60);
  expect(again.of(0)).toBe(13);
});

test("another round begins with nothing", () => {
  pulls.tap(0, 5_000);
  pulls.hear(contest({ round: 2, starts: SERVER + 13_000 }), SERVER + 10_000, 11_000);
  expect(pulls.of(0)).toBe(0);
  expect(pulls.stage(14_000)).toBe("go");
});

test("counts are reported a few times a second, and at the end", () => {
  pulls.report([0], 3_000);
  expect(sent).toEqual([]);
  for (let now = 4_000; now < 9_000; now += 50) {
    pulls.tap(0, now);
    pulls.report([0], now);
  }
  expect(sent.length).toBeLessThanOrEqual(5_000 / REPORT + 1);
  expect(sent.length).toBeGreaterThan(15);
  for (const now of [9_000, 9_050, 9_100]) pulls.report([0], now);
  expect(sent.at(-1)).toEqual({ type: "pull", round: 1, count: 100, seat: 0 });
  expect(sent.length).toBeLessThanOrEqual(5_000 / REPORT + 2);
});

test("the count is told at the end even if it is the same as before", () => {
  pulls.tap(0, 4_100);
  pulls.report([0], 4_300);
  pulls.report([0], 4_600);
  expect(sent).toHaveLength(1);
  pulls.report([0], 9_000);
  pulls.report([0], 9_050);
  expect(sent.map(({ count }) => count)).toEqual([1, 1]);
});

test("each seat of a shared screen is reported by itself, if there is news", () => {
  pulls.tap(0, 4_100);
  pulls.report([0, 2], 4_300);
  pulls.tap(2, 4_400);
  pulls.report([0, 2], 4_600);
  expect(sent.map(({ seat, count }) => [seat, count])).toEqual([
    [0, 1],
    [2, 0],
    [2, 1],
  ]);
});

test("what a broken line did not take is reported when it is back", () => {
  online = false;
  pulls.tap(0, 8_900);
  pulls.report([0], 9_000);
  online = true;
  pulls.report([0], 9_300);
  pulls.report([0], 9_400);
  expect(sent).toEqual([{ type: "pull", round: 1, count: 1, seat: 0 }]);
});

test("when nobody pulls nothing counts", () => {
  pulls.hear(contest({ phase: "over" }), SERVER + 9_000, 10_000);
  pulls.tap(0, 5_000);
  pulls.report([0], 9_999);
  expect(pulls.of(0)).toBe(0);
  expect(sent).toEqual([]);
});
