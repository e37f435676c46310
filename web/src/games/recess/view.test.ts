import { expect, test } from "vitest";
import { walk } from "./paths";
import { MOVE_NUN, OPEN, view } from "./testing";
import { cellAt, coordinates, equipment, groupOf, movementOf, safetySquares, SIDE, signOf, targetOf } from "./view";

/** A yard with letters on some cells. */
function yard(letters: { [cell: string]: string }): string {
  const cells = [...OPEN];
  for (const [cell, letter] of Object.entries(letters)) {
    const [column, row] = coordinates(cell);
    cells[row * SIDE + column] = letter;
  }
  return cells.join("");
}

test("cells and coordinates are each other's inverse", () => {
  expect(coordinates("a1")).toEqual([0, 0]);
  expect(coordinates("l12")).toEqual([11, 11]);
  expect(cellAt(...coordinates("d10"))).toBe("d10");
});

test("neighbouring cells with the same letter are one piece of equipment, of two cells at most", () => {
  expect(equipment(yard({ c3: "S", d3: "S" }))).toEqual([{ letter: "S", column: 2, row: 2, wide: 2, high: 1 }]);
  expect(equipment(yard({ c3: "T", c4: "T" }))).toEqual([{ letter: "T", column: 2, row: 2, wide: 1, high: 2 }]);
  expect(equipment(yard({ b3: "B", c3: "B", d3: "B" })).map(({ wide }) => wide)).toEqual([2, 1]);
  expect(equipment(yard({ c3: "S", d3: "M" })).map(({ wide }) => wide)).toEqual([1, 1]);
});

test("equipment does not reach from one section into the next", () => {
  expect(equipment(yard({ f3: "C", g3: "C" })).map(({ wide }) => wide)).toEqual([1, 1]);
  expect(equipment(yard({ c6: "C", c7: "C" })).map(({ high }) => high)).toEqual([1, 1]);
});

test("the safety squares are where the game has them", () => {
  expect(safetySquares(view().safety)).toEqual([
    [0, 0],
    [10, 10],
  ]);
  expect(safetySquares(["e5", "f5", "e6", "f6"])).toEqual([[4, 4]]);
});

test("a target is marked by what the game says comes of it", () => {
  const now = view({ landings: { "b1 f5": "fight", "b1 b2": "safe" } });
  expect(["b1 f5", "b1 b2", "b1 e7"].map((action) => signOf(now, action))).toEqual(["fight", "safe", "free"]);
});

test("an action names the piece it moves and the cell it is about", () => {
  expect(["b1 d4", "nun 1 f6", "shove f6", "pass"].map(groupOf)).toEqual(["b1", "nun 1", null, null]);
  expect(["b1 d4", "nun 1 f6", "tattle 0 e5", "pass"].map(targetOf)).toEqual(["d4", "f6", "e5", null]);
});

test("there is a movement while one is asked for", () => {
  expect(movementOf(view())).toBe(3);
  expect(movementOf(view({ prompt: MOVE_NUN }))).toBe(null);
});

test("a walk has the right length, goes round equipment and rather not through others", () => {
  const blocked = view({ yard: yard({ d5: "B" }) });
  expect(walk(blocked, "c5", "d6", 2)).toEqual(["c6", "d6"]);
  const crowded = view({ children: { "1b1": "c6" } });
  expect(walk(crowded, "c5", "d6", 2)).toEqual(["d5", "d6"]);
  expect(walk(view(), "c5", "c5", 2)).toHaveLength(2);
});

test("a walk out of an entrance begins on one of its exits", () => {
  const out = walk(view({ nuns: ["l1", "l12"] }), "boys", "b2", 2);
  expect(out).toHaveLength(2);
  expect(["a2", "b1"]).toContain(out[0]);
  expect(walk(view({ exits: { boys: ["a1"], girls: ["l12"] } }), "boys", "b1", 2)).toEqual(["a1", "b1"]);
});

test("where no such walk exists the way is straight", () => {
  expect(walk(view(), "a1", "l12", 3)).toEqual(["l12"]);
});
