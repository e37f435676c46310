import { beforeEach, expect, test } from "vitest";
import { TieBreakTaps, REPORT_INTERVAL } from "./tie-break-taps";
import type { Contest, Pull } from "../net/protocol";

const SERVER = 1_800_000_000_000;
let sent: Pull[];
let online: boolean;
let taps: TieBreakTaps;

function tieBreak(more: Partial<Contest> = {}): Contest {
  const pullers = [{ seat: 0 }, { seat: 2 }];
  return { phase: "pulling", rule: "", pullers, round: 1, rounds: 3, starts: SERVER + 3_000, lasts: 5_000, ...more };
}

beforeEach(() => {
  sent = [];
  online = true;
  taps = new TieBreakTaps((message) => {
    if (online) sent.push(message);
    return online;
  });
  taps.update(tieBreak(), SERVER, 1_000);
});

test("the round goes and ends by this device's own clock", () => {
  expect(taps.wait(1_000)).toBe(3_000);
  expect([3_999, 4_000, 8_999, 9_000].map((now) => taps.stage(now))).toEqual(["ready", "go", "go", "stop"]);
});

test("only taps in time count", () => {
  for (const now of [3_999, 4_000, 6_000, 8_999, 9_000]) taps.tap(0, now);
  expect(taps.of(0)).toBe(3);
});

test("what is told of the same round again does not begin it anew", () => {
  taps.tap(0, 5_000);
  taps.update(tieBreak(), SERVER + 900, 2_500);
  expect(taps.stage(3_999)).toBe("ready");
  expect(taps.stage(4_000)).toBe("go");
  expect(taps.of(0)).toBe(1);
});

test("after a reload the server's count goes on, and the time that is left", () => {
  const again = new TieBreakTaps(() => true);
  again.update(tieBreak({ pullers: [{ seat: 0, count: 12 }] }), SERVER + 5_000, 50);
  expect(again.stage(50)).toBe("go");
  expect(again.stage(3_051)).toBe("stop");
  again.tap(0, 60);
  expect(again.of(0)).toBe(13);
});

test("another round begins with nothing", () => {
  taps.tap(0, 5_000);
  taps.update(tieBreak({ round: 2, starts: SERVER + 13_000 }), SERVER + 10_000, 11_000);
  expect(taps.of(0)).toBe(0);
  expect(taps.stage(14_000)).toBe("go");
});

test("counts are reported a few times a second, and at the end", () => {
  taps.report([0], 3_000);
  expect(sent).toEqual([]);
  for (let now = 4_000; now < 9_000; now += 50) {
    taps.tap(0, now);
    taps.report([0], now);
  }
  expect(sent.length).toBeLessThanOrEqual(5_000 / REPORT_INTERVAL + 1);
  expect(sent.length).toBeGreaterThan(15);
  for (const now of [9_000, 9_050, 9_100]) taps.report([0], now);
  expect(sent.at(-1)).toEqual({ type: "pull", round: 1, count: 100, seat: 0 });
  expect(sent.length).toBeLessThanOrEqual(5_000 / REPORT_INTERVAL + 2);
});

test("the count is told at the end even if it is the same as before", () => {
  taps.tap(0, 4_100);
  taps.report([0], 4_300);
  taps.report([0], 4_600);
  expect(sent).toHaveLength(1);
  taps.report([0], 9_000);
  taps.report([0], 9_050);
  expect(sent.map(({ count }) => count)).toEqual([1, 1]);
});

test("each seat of a shared screen is reported by itself, if there is news", () => {
  taps.tap(0, 4_100);
  taps.report([0, 2], 4_300);
  taps.tap(2, 4_400);
  taps.report([0, 2], 4_600);
  expect(sent.map(({ seat, count }) => [seat, count])).toEqual([
    [0, 1],
    [2, 0],
    [2, 1],
  ]);
});

test("what a broken line did not take is reported when it is back", () => {
  online = false;
  taps.tap(0, 8_900);
  taps.report([0], 9_000);
  online = true;
  taps.report([0], 9_300);
  taps.report([0], 9_400);
  expect(sent).toEqual([{ type: "pull", round: 1, count: 1, seat: 0 }]);
});

test("when nobody pulls nothing counts", () => {
  taps.update(tieBreak({ phase: "over" }), SERVER + 9_000, 10_000);
  taps.tap(0, 5_000);
  taps.report([0], 9_999);
  expect(taps.of(0)).toBe(0);
  expect(sent).toEqual([]);
});
