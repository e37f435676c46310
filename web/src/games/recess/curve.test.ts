import { expect, test } from "vitest";
import { curves } from "./curve";

test("a curve has the beginning and the end of every turn", () => {
  const story = [
    { turn: 1, coins: [10, 10] },
    { turn: 1, coins: [11, 9] },
    { turn: 2, coins: [11, 9] },
    { turn: 2, coins: [10, 10] },
    { turn: 2, coins: [9, 11] },
    { turn: 3, coins: [9, 11] },
  ];
  expect(curves(story)).toEqual([
    { seat: 0, coins: [10, 11, 9, 9] },
    { seat: 1, coins: [10, 9, 11, 11] },
  ]);
});

test("there is no curve without a game", () => {
  expect(curves([])).toEqual([]);
});
