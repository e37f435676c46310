import { expect, it } from "vitest";
import { places } from "./ranking";

it("equals share a place, and nobody gets the one they left out", () => {
  const result = { scores: [4, 9, 9, 2], ranking: [[1, 2], [0], [3]] };
  expect(places(result)).toEqual([
    { place: 1, seat: 1, score: 9 },
    { place: 1, seat: 2, score: 9 },
    { place: 3, seat: 0, score: 4 },
    { place: 4, seat: 3, score: 2 },
  ]);
});
