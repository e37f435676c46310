import { expect, test } from "vitest";
import { walk } from "./paths";
import { cellAt, coordinates, equipment, groupOf, landing, SIDE, targetOf, turnSteps, type View } from "./view";

const OPEN = ".".repeat(SIDE * SIDE);

function view(changes: Partial<View> = {}): View {
  return {
    seats: 3,
    turn: 1,
    active: 0,
    coins: [10, 10, 10],
    children: {},
    nuns: ["a1", "l12"],
    fights: [],
    detention: [],
    yard: OPEN,
    seen: [],
    options: { turns: 30 },
    prompt: { key: "prompt.move", movement: 3 },
    ...changes,
  };
}

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

test("a target is labelled by who stands there", () => {
  const children = { "0b1": "e5", "0g1": "e6", "0b2": "e4", "1b1": "f5", "1b2": "h8", "2g1": "h8", "0g2": "a2" };
  const fights = [{ cell: "h8", attacker: "1b2", victim: "2g1" }];
  const yardful = view({ children, fights, nuns: ["d5", "l12"] });
  expect(landing(yardful, "b1 e7")).toBe("free");
  expect(landing(yardful, "b1 e5")).toBe("free");
  expect(landing(yardful, "b1 f5")).toBe("fight");
  expect(landing(yardful, "b1 e6")).toBe("kiss");
  expect(landing(yardful, "b1 d5")).toBe("tattle");
  expect(landing(yardful, "b1 h8")).toBe("break");
  expect(landing(yardful, "b1 b2")).toBe("safe");
  expect(landing(yardful, "b1 a2")).toBe("kiss");
  expect(landing({ ...yardful, seen: ["a2"] }, "b1 a2")).toBe("safe");
});

test("a nun's target and a shove are labelled too", () => {
  const fights = [{ cell: "h8", attacker: "1b2", victim: "2g1" }];
  const yardful = view({ children: { "1b2": "h8", "2g1": "h8", "0b1": "e5" }, fights });
  expect(landing(yardful, "nun 0 h8")).toBe("catch");
  expect(landing(yardful, "nun 0 e5")).toBe("shove");
  expect(landing(yardful, "nun 0 b2")).toBe("safe");
  expect(landing(yardful, "nun 0 c1")).toBe("free");
  expect(landing(yardful, "shove e5")).toBe("shove");
  expect(landing(yardful, "shove e6")).toBe("free");
  expect(landing(yardful, "tattle 1 h8")).toBe("tattle");
});

test("an action names the piece it moves and the cell it is about", () => {
  expect(["b1 d4", "nun 1 f6", "shove f6", "pass"].map(groupOf)).toEqual(["b1", "nun 1", null, null]);
  expect(["b1 d4", "nun 1 f6", "tattle 0 e5", "pass"].map(targetOf)).toEqual(["d4", "f6", "e5", null]);
});

test("the turn at a glance", () => {
  expect(turnSteps(view())).toEqual(["now", "ahead", "ahead", "ahead"]);
  expect(turnSteps(view({ detention: ["0b1", "1b1"], prompt: { key: "wait.move", movement: 2 } }))).toEqual([
    "lost",
    "now",
    "ahead",
    "ahead",
  ]);
  expect(turnSteps(view({ prompt: { key: "prompt.choose" } }))).toEqual(["ahead", "ahead", "ahead", "ahead"]);
  expect(turnSteps(view({ step: { phase: "move", movement: 1, moved: ["b1"], staying: ["b2"] } }))).toEqual([
    "lost",
    "done",
    "now",
    "ahead",
  ]);
  const nun = { phase: "nun", movement: 0, moved: ["b1", "b2", "g1"] };
  expect(turnSteps(view({ step: nun, prompt: { key: "prompt.nun" } }))).toEqual(["done", "done", "done", "now"]);
  expect(turnSteps(view({ prompt: { key: "prompt.over" }, end: {} }))).toEqual(["done", "done", "done", "done"]);
});

test("a walk has the right length, goes round equipment and rather not through others", () => {
  const blocked = view({ yard: yard({ d5: "B" }) });
  expect(walk(blocked, "c5", "d6", 2)).toEqual(["c6", "d6"]);
  const crowded = view({ children: { "1b1": "c6" } });
  expect(walk(crowded, "c5", "d6", 2)).toEqual(["d5", "d6"]);
  expect(walk(view(), "c5", "c5", 2)).toHaveLength(2);
  const out = walk(view({ nuns: ["l1", "l12"] }), "boys", "b2", 2);
  expect(out).toHaveLength(2);
  expect(["a2", "b1"]).toContain(out[0]);
  expect(walk(view({ options: { turns: 30, exits: "corner" } }), "boys", "b1", 2)).toEqual(["a1", "b1"]);
});

test("where no such walk exists the way is straight", () => {
  expect(walk(view(), "a1", "l12", 3)).toEqual(["l12"]);
});
