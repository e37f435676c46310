import { expect, it } from "vitest";
import bagarre from "../../../src/preau/games/bagarre/texts/en.json";
import cour from "../../../src/preau/games/cour/texts/en.json";
import recess from "../../../src/preau/games/recess/texts/en.json";
import recessFr from "../../../src/preau/games/recess/texts/fr.json";
import { Texts } from "../lib/messages";
import { found, inChapters, inOrder, otherWords, rulingsIn } from "./rulebook";

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

it("a search needs no accents, capitals or ligatures", () => {
  expect(found(RULES, "SOEUR")).toEqual([["R10", "La bonne sœur avance."]]);
  expect(found(RULES, "piece volee")).toHaveLength(1);
  expect(found(RULES, "l'entree")).toHaveLength(1);
  expect(found(RULES, "piece soeur")).toEqual([]);
});

it("one or many of a thing are found alike", () => {
  expect(found(RULES, "pieces")).toHaveLength(1);
  expect(found(RULES, "soeurs")).toHaveLength(1);
});

it.each([
  ["en", recess, "tattle"],
  ["en", recess, "tell"],
  ["en", recess, "Tattling"],
  ["fr", recessFr, "rapporter"],
  ["fr", recessFr, "rapporteurs"],
  ["fr", recessFr, "denoncer"],
] as const)("the words of the sheets and plain ones find a rule: %s %#", (language, messages, wanted) => {
  const texts = new Texts(language, messages);
  expect(found(inOrder(texts), wanted, otherWords(texts)).map(([id]) => id)).toContain("R29");
});

it.each([recess, bagarre, cour])("other words are about rules that there are", (messages) => {
  const ids = [...otherWords(new Texts("en", messages)).keys()];
  expect(ids.length).toBeGreaterThan(0);
  for (const id of ids) expect(messages).toHaveProperty([`rule.${id}`]);
});

it("an id finds that rule alone, and nothing typed finds all", () => {
  expect(found(RULES, "r9").map(([id]) => id)).toEqual(["R9"]);
  expect(found(RULES, "  ")).toHaveLength(3);
});

it("rules stand in chapters; a search leaves out those without any", () => {
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
