import { expect, it } from "vitest";
import bagarre from "../../../../src/preau/games/bagarre/texts/en.json";
import cour from "../../../../src/preau/games/cour/texts/en.json";
import recess from "../../../../src/preau/games/recess/texts/en.json";
import { Texts } from "../../lib/text/messages";
import { inChapters, inOrder, rulingsIn } from "./rule-book";

const MESSAGES = {
  title: "Récré !",
  "rule.R10": "La bonne sœur avance.",
  "rule.R2": "Une pièce volée.",
  "rule.R9": "L’entrée est sûre.",
};
const RULES = inOrder(new Texts("fr", MESSAGES));

it("rules come in the order of their numbers", () => {
  expect(RULES.map(([id]) => id)).toEqual(["R2", "R9", "R10"]);
});

it("rules stand in chapters; those without any are left out", () => {
  const chapters = [
    { name: "setup", first: "R1", title: { en: "Before", fr: "Avant" } },
    { name: "turn", first: "R7", title: { en: "Turn", fr: "Tour" } },
    { name: "end", first: "R33", title: { en: "End", fr: "Fin" } },
  ];
  const all = inChapters(chapters, RULES);
  expect(all.map(({ name, rules }) => [name, rules.map(([id]) => id)])).toEqual([
    ["setup", ["R2"]],
    ["turn", ["R9", "R10"]],
  ]);
  expect(inChapters([], RULES)).toEqual([{ name: "rules", title: null, rules: RULES }]);
});

it.each([recess, bagarre, cour])("a game marks rulings among its own rules", (messages) => {
  const rulings = [...rulingsIn(new Texts("en", messages))];
  expect(rulings.length).toBeGreaterThan(0);
  for (const id of rulings) expect(messages).toHaveProperty([`rule.${id}`]);
});

it("a game may have no rulings", () => {
  expect(rulingsIn(new Texts("fr", MESSAGES)).size).toBe(0);
});
