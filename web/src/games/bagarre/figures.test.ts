import { describe, expect, it } from "vitest";
import { fightIn, gains, handled, slots, wayOf } from "./figures";
import { view } from "./testing";
import type { Event } from "./view";

const FIGHT: Event = { key: "fight", rule: "B15", seat: 0, owner: 1, card: "T20" };
const MINE: Event = { key: "down", rule: "B15", seat: 0, card: "F7" };
const THEIRS: Event = { key: "down", rule: "B16", seat: 1, card: "hidden" };
const SHOWN: Event[] = [
  { key: "show", rule: "B19", seat: 0, card: "F7" },
  { key: "show", rule: "B19", seat: 1, card: "F5" },
];
const WON: Event = { key: "win_toy", rule: "B19", seat: 0, owner: 1, card: "T20" };

describe("a fight in a figure", () => {
  it("shows who won, and which way the toy goes", () => {
    const clash = fightIn(view(), [FIGHT, MINE, THEIRS, ...SHOWN, WON]);
    if (!clash) throw new Error("no fight");
    expect(clash.sides.map(({ seat, cards, down }) => [seat, cards, down])).toEqual([
      [0, ["F7"], false],
      [1, ["F5"], false],
    ]);
    expect(wayOf(clash)).toBe("left");
    expect(wayOf({ ...clash, by: 1, outcome: "kept" })).toBe("right");
    expect(slots(clash)).toBe(3);
  });

  it("that Maman stopped leaves the cards where they were, and the toy, too", () => {
    const called: Event = { key: "maman", rule: "B18", seat: 1, owner: 1, card: "T20" };
    const back: Event = { key: "take_back", rule: "B21", seats: [0, 1] };
    const clash = fightIn(view(), [FIGHT, MINE, THEIRS, called, back]);
    if (!clash) throw new Error("no fight");
    expect(clash.sides.map(({ cards }) => cards)).toEqual([["F7"], [null]]);
    expect(wayOf(clash)).toBeNull();
  });

  it("is none where nobody fights", () => {
    expect(fightIn(view(), [])).toBeNull();
  });
});

describe("what else happens in a figure", () => {
  const convert: Event = { key: "convert", rule: "B8", seat: 0, card: "T13", marbles: 2, total: 3 };
  const lay: Event = { key: "lay", rule: "B10", seat: 0, card: "T13" };

  it("is found among the events", () => {
    expect(gains([lay, convert])).toEqual([convert]);
    expect(handled([lay, convert], "lay", 0)).toEqual(["T13"]);
    expect(handled([lay], "lay", 1)).toEqual([]);
  });
});
