import { expect, test } from "vitest";
import { choices, listed } from "./choices";
import { scene, view } from "./testing";

function labels(...legal: string[]): string[] {
  return choices(scene({ legal })).choices.map((choice) => choice.label);
}

test("a card to keep is one choice each", () => {
  expect(choices(scene({ legal: ["keep marble", "keep car"] }))).toEqual({
    groups: [],
    choices: [
      { action: "keep marble", label: "Keep a marble", means: "Stars only beside others." },
      { action: "keep car", label: "Keep a car", means: "3 stars. Your character: 1 star for it." },
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
    { action: "give leaf 1", label: "To Malo", means: "Then Malo has 1 card.", group: "give leaf" },
    { action: "give leaf 2", label: "To Inès", means: "Then Inès has 1 card.", group: "give leaf" },
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
  expect(listed(scene().texts, { marble: 2, "brick.3": 1 })).toBe("2 marbles, 1 brick");
});

test("a choice says what comes of it", () => {
  const meant = (legal: string[], change: Parameters<typeof view>[0] = {}) =>
    choices(scene({ legal, view: view(change) })).choices.map(({ means }) => means);
  expect(meant(["give car 1"], { open: ["car", "leaf"], sizes: [2, 6, 0, 0] })).toEqual([
    "Then Malo has 7 cards. A leaf goes under the pile.",
  ]);
  expect(meant(["give friend 1"], { open: ["friend"] })).toEqual([undefined]);
  expect(meant(["keep friend", "keep leaf"])[0]).toContain("does not count towards 7");
  expect(meant(["steal 1", "steal 2"], { sizes: [0, 1, 4, 0] })).toEqual(["1 card in hand.", "4 cards in hand."]);
  expect(meant(["challenge 1", "challenge 2"], { kings: [0, 2, 0, 0] })).toEqual([
    "At stake: several king cards.",
    "At stake: the king card, 2 stars.",
  ]);
  const ledger = [{ op: "gain", seat: 0, card: "chestnut" } as const];
  expect(meant(["trade yes", "trade no"], { ledger })[0]).toContain("four stars");
  expect(meant(["trade no"], { ledger })).toEqual([undefined]);
  expect(meant(["throw rock"])).toEqual([undefined]);
});
