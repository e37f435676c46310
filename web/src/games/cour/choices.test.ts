import { expect, test } from "vitest";
import { choices, listed } from "./choices";
import { scene } from "./testing";

function labels(...legal: string[]): string[] {
  return choices(scene({ legal })).choices.map((choice) => choice.label);
}

test("a card to keep is one choice each", () => {
  expect(choices(scene({ legal: ["keep marble", "keep car"] }))).toEqual({
    groups: [],
    choices: [
      { action: "keep marble", label: "Keep a marble" },
      { action: "keep car", label: "Keep a car" },
    ],
  });
});

test("a card to give is picked first, then the seat", () => {
  const legal = ["give brick 1", "give brick 2", "give leaf 1", "give leaf 2"];
  const { groups, choices: all } = choices(scene({ legal }));
  expect(groups).toEqual([
    { id: "give brick", label: "Give a brick" },
    { id: "give leaf", label: "Give a leaf" },
  ]);
  expect(all.filter(({ group }) => group === "give leaf")).toEqual([
    { action: "give leaf 1", label: "To Malo", group: "give leaf" },
    { action: "give leaf 2", label: "To Inès", group: "give leaf" },
  ]);
});

test("with a single card or a single seat to choose, nothing is picked first", () => {
  expect(choices(scene({ legal: ["give brick 1", "give brick 2"] })).groups).toEqual([]);
  expect(labels("give brick 1", "give leaf 1")).toEqual(["Give a brick to Malo", "Give a leaf to Malo"]);
});

test("every other action has a label without ids", () => {
  expect(labels("point 1", "point none")).toEqual(["Point at Malo", "Let it pass"]);
  expect(labels("challenge 2", "steal 3", "friend 1", "take car")).toEqual([
    "Challenge Inès",
    "Steal from Tom",
    "Be friends with Malo",
    "Take a car",
  ]);
  expect(labels("throw rock", "throw paper", "throw scissors")).toEqual(["Rock", "Paper", "Scissors"]);
  expect(labels("glue yes", "glue no", "trade yes", "trade no").join()).not.toMatch(/⟨|yes|no\b/);
});

test("cards of one name are told apart by their number", () => {
  expect(labels("keep brick.1", "keep brick.12")).toEqual(["Keep brick no. 1", "Keep brick no. 12"]);
});

test("a hand is listed for those who listen", () => {
  expect(listed(scene().texts, { marble: 2, "brick.3": 1 })).toBe("2 × marble, 1 × brick");
});
