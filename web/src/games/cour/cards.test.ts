import { expect, test } from "vitest";
import { cardSet, lit, look, stars } from "./cards";

const set = cardSet("reconstructed");
const EXAMPLE = ["monster", "soldier", "car", "boss", "car", "soldier", "brick", "marble"];

test("the worked example of the rule sheet: 11 full stars and 9 joins", () => {
  const cards = lit(set, EXAMPLE);
  expect(cards.reduce((sum, card) => sum + card.look.full, 0)).toBe(11);
  expect(cards.map((card) => card.lit.right.length)).toEqual([1, 1, 2, 2, 2, 1, 0, 0]);
  expect(cards.map((card) => card.lit.left.length)).toEqual([0, 1, 1, 2, 2, 2, 1, 0]);
  expect(stars(set, EXAMPLE)).toBe(20);
});

test("stars light up card by card and join by join", () => {
  expect([0, 1, 2, 3, 4, 5].map((counted) => stars(set, EXAMPLE, counted))).toEqual([0, 2, 3, 4, 5, 8]);
});

test("cards that are no toys have no stars", () => {
  for (const kind of ["leaf", "chestnut", "friend", "king", "hidden"])
    expect(look(set, kind)).toEqual({ full: 0, left: "", right: "" });
});

test("a set of one's own may give every card its edges", () => {
  const own = {
    ...set,
    toys: { ...set.toys, brick: { cards: [look(set, "car"), { full: 7, left: "B", right: "" }] } },
  };
  expect(look(cardSet(own), "brick.2")).toEqual({ full: 7, left: "B", right: "" });
  expect(look(cardSet(own), "brick.1").full).toBe(3);
});

test("what is no card set is refused", () => {
  expect(() => cardSet({ name: "lost" })).toThrow("lost");
});
