import { describe, expect, it } from "vitest";
import { all, fates, first, terms } from "./figures";
import type { Event, Working } from "./shapes";

const KEPT: Event = { key: "kept", rule: "C6", seat: 0, card: "brick", kind: "brick" };
const GIVEN: Event = { key: "given", rule: "C6", seat: 0, card: "brick", kind: "brick", to: 2 };
const BACK: Event = { key: "put_back", rule: "C6", seat: 0, card: "leaf", kind: "leaf" };

describe("cards that were turned over", () => {
  it("say what became of them, also two of a kind", () => {
    expect(fates(["brick", "leaf", "brick"], [KEPT, GIVEN, BACK])).toEqual([
      { kind: "brick", fate: "keep", to: 0 },
      { kind: "leaf", fate: "put_back", to: null },
      { kind: "brick", fate: "give", to: 2 },
    ]);
  });

  it("are left out while nothing has become of them", () => {
    expect(fates(["brick", "car"], [KEPT])).toEqual([{ kind: "brick", fate: "keep", to: 0 }]);
  });
});

describe("events of a figure", () => {
  it("are found by their key", () => {
    expect(first([BACK, KEPT, GIVEN], "kept")).toBe(KEPT);
    expect(first([BACK], "kept")).toBeUndefined();
    expect(all([KEPT, BACK, KEPT], "kept")).toHaveLength(2);
  });
});

describe("the sum of a row", () => {
  const working: Working = {
    row: [],
    joins: [],
    full: 11,
    joined: 9,
    kings: { cards: 0, stars: 0 },
    chestnut_man: 4,
    friends: [{ seat: 1, toy: "marble", stars: 3 }],
    bonus: { character: "boss", items: [], stars: 2 },
    total: 29,
  };

  it("has whatever there is, and adds up", () => {
    const parts = terms(working);
    expect(parts.map(({ picture }) => picture)).toEqual([undefined, undefined, "chestnut_man", "friend", "boss"]);
    expect(parts.reduce((sum, { stars }) => sum + stars, 0)).toBe(working.total);
  });
});
