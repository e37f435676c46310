import { expect, it } from "vitest";
import { found, inOrder } from "./rulebook";

const RULES = inOrder({ R10: "La bonne sœur avance.", R2: "Une pièce volée.", R9: "L’entrée est sûre." });

it("rules come in the order of their numbers", () => {
  expect(RULES.map(([id]) => id)).toEqual(["R2", "R9", "R10"]);
});

it("a search needs no accents, capitals or ligatures", () => {
  expect(found(RULES, "SOEUR")).toEqual([["R10", "La bonne sœur avance."]]);
  expect(found(RULES, "piece volee")).toHaveLength(1);
  expect(found(RULES, "l'entree")).toHaveLength(1);
  expect(found(RULES, "piece soeur")).toEqual([]);
});

it("an id finds that rule alone, and nothing typed finds all", () => {
  expect(found(RULES, "r9").map(([id]) => id)).toEqual(["R9"]);
  expect(found(RULES, "  ")).toHaveLength(3);
});
