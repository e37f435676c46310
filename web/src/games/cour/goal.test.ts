import { expect, test } from "vitest";
import { goal } from "./goal";
import { scene, view } from "./testing";

const said = (sizes: number[], change: Parameters<typeof view>[0] = {}, seat: number | null = 0): string =>
  goal(scene({ seat, view: view({ sizes, ...change }) }));

test("the goal is seven cards for everybody, then the stars", () => {
  expect(said([4, 7, 9, 2])).toBe("Cards: 4 of 7");
  expect(said([8, 7, 6, 2])).toBe("Cards: 8 · 2 players still below 7");
  expect(said([8, 7, 7, 7], { ending: true })).toContain("Last round");
  expect(said([4, 7, 9, 2], {}, null)).toBe("Fewest cards in a hand: 2 of 7");
});
