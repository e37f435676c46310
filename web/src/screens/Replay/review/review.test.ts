import { describe, expect, test } from "vitest";
import type { Decision, Review, Turning } from "../../../lib/net/protocol";
import { changed, doubt, ends, line, points, signs, span, spot, stepAt, stepOf } from "./review";

/** Chance deals twice, then two seats act, chance turns a card, one acts, time runs out. */
const ACTORS = [-1, -1, 0, 1, -1, 0, -2];
const BOX = { width: 216, height: 66, margin: 8 };

function decision(step: number, called: Decision["called"]): Decision {
  const rest = {
    legal: 2,
    best: "b",
    chance: 0.5,
    stake: 0.1,
    gap: 0.1,
    regret: 0.1,
    error: 0.01,
    low: 0.08,
    high: 0.12,
  };
  return { step, seat: 0, action: "a", called, do: null, line: [], reasons: [], but: false, ...rest };
}

function turning(step: number, cause: Turning["cause"]): Turning {
  return { step, cause, actor: 0, seat: 0, change: -0.2, error: 0.02, changes: [-0.2, 0.2] };
}

describe("steps", () => {
  test("what chance did belongs to the step before it", () => {
    expect(ends(ACTORS)).toEqual([2, 3, 5, 6, 7]);
    expect(ends([])).toEqual([0]);
    expect(ends([0, 1])).toEqual([0, 1, 2]);
  });

  test("every action of the record is found in its step", () => {
    expect(ACTORS.map((_, action) => stepOf(action, ends(ACTORS)))).toEqual([0, 0, 1, 2, 2, 3, 4]);
  });
});

describe("what is worth stopping at", () => {
  const all = (decisions: Decision[], turned: Turning[]) =>
    points({ decisions, turning: turned } as unknown as Review, ends(ACTORS));

  test("a choice is looked at before it was made, and what just happens once it has", () => {
    expect(all([], [turning(3, "choice"), turning(4, "luck"), turning(6, "clock")]).map(({ at }) => at)).toEqual([
      1, 2, 4,
    ]);
  });

  test("only what is beyond doubt is held against a choice, and a turning point says so too", () => {
    const found = all([decision(2, "good"), decision(3, "mistake"), decision(5, "inaccuracy")], [turning(3, "choice")]);
    expect(found.map(({ at, decision, turning }) => [at, decision?.called, turning?.step])).toEqual([
      [1, "mistake", 3],
      [2, "inaccuracy", undefined],
    ]);
  });
});

test("figures come with what they may be off by", () => {
  expect(span(0.049, 0.121)).toEqual({ low: 5, high: 12 });
  expect(span(-0.1, 1.2)).toEqual({ low: 0, high: 100 });
  expect(changed(turning(3, "choice"))).toEqual({ low: 16, high: 24 });
  expect(doubt(0.011)).toBe(3);
  expect(doubt(0)).toBe(0);
});

describe("the curve", () => {
  test("begins and ends at the margins, certainty above", () => {
    expect(spot(0, 1, 10, BOX)).toEqual({ x: 8, y: 8 });
    expect(spot(10, 0, 10, BOX)).toEqual({ x: 208, y: 58 });
    expect(line([0.5, 1, 0], BOX)).toBe("M8 33L108 8L208 58");
    expect(line([1], BOX)).toBe("M8 8");
  });

  test("every place along it is a step, also beside it", () => {
    expect([0, 8, 107, 208, 500].map((x) => stepAt(x, 10, BOX))).toEqual([0, 0, 5, 10, 10]);
    for (let step = 0; step <= 10; step++) expect(stepAt(spot(step, 0.3, 10, BOX).x, 10, BOX)).toBe(step);
  });

  test("the signs of the seats stand apart", () => {
    const all = [0, 1, 2].flatMap((seat) => signs(seat, 3, 90));
    expect(new Set(all).size).toBe(9);
    expect(Math.max(...all)).toBeLessThanOrEqual(90);
    expect(signs(0, 2, 0)).toEqual([0]);
  });
});
