import { describe, expect, it } from "vitest";
import { arrows, cropped, drawn, signs, takenIn } from "./figures";
import { UPRIGHT } from "./layout";
import { view } from "./testing";
import type { Event } from "./view";

const WALK: Event = {
  key: "walk",
  rule: "R14",
  seat: 0,
  child: "b1",
  from: "b6",
  to: "c4",
  movement: 3,
  path: ["c6", "c5", "c4"],
};
const STEP: Event = { ...WALK, child: "g1", from: "f4", to: "f5", movement: 1, path: ["f5"] };
const DETENTION: Event = {
  key: "detention",
  rule: "R30",
  seat: 0,
  nun: 0,
  attacker: "b1",
  bully: 0,
  victim: "g1",
  owner: 1,
  cell: "c4",
};
const NOTHING = { open: [], refused: [], eyes: [] };

describe("the part of the yard that a figure shows", () => {
  it("reaches from cell to cell with a rim, and never beyond the stage", () => {
    const part = cropped(UPRIGHT, ["d4", "h8"]);
    expect([part.wide, part.high].map((one) => Number(one.toFixed(2)))).toEqual([5.6, 5.6]);
    const all = cropped(UPRIGHT, ["boys", "girls", "a1", "l12"]);
    expect(all.x + all.wide).toBeLessThanOrEqual(UPRIGHT.wide);
    expect(all.y).toBe(0);
    expect(all.y + all.high).toBeLessThanOrEqual(UPRIGHT.high);
  });
});

describe("the arrows of a figure", () => {
  const board = view({ children: { "0b1": "b6", "0g1": "f4" } });

  it("go where everybody went, with the steps where several walk", () => {
    const made = arrows(board, [WALK, STEP], UPRIGHT, []);
    expect(made.map(({ kind, label, points }) => [kind, label, points.length])).toEqual([
      ["walk", "3", 4],
      ["walk", "1", 2],
    ]);
    expect(arrows(board, [STEP], UPRIGHT, [])[0]?.label).toBe("");
  });

  it("send nobody out of the picture", () => {
    expect(arrows(board, [DETENTION], UPRIGHT, ["girls"])).toEqual([]);
    expect(arrows(board, [DETENTION], UPRIGHT, ["boys"]).map(({ kind }) => kind)).toEqual(["send"]);
  });

  it("leave room for whoever stands at an end", () => {
    const [arrow] = arrows(board, [STEP], UPRIGHT, []);
    if (!arrow) throw new Error("no arrow");
    const taken = drawn(arrow, takenIn(board, UPRIGHT));
    const free = drawn(arrow, () => false);
    expect(taken.turn).toBe(-90);
    expect(taken.tip).toEqual(free.tip);
    expect(taken.shaft).not.toBe(free.shaft);
  });
});

describe("the signs of a figure", () => {
  it("tell what is seen from the view alone", () => {
    expect(signs(view({ seen: ["e7"] }), [], { ...NOTHING, eyes: ["e7", "d5"] })).toEqual([
      { sign: "eye", cell: "e7" },
      { sign: "hidden", cell: "d5" },
    ]);
  });

  it("mark what may not be done, and what may be done instead", () => {
    expect(signs(view(), [], { ...NOTHING, open: ["leave f6"], refused: ["b1 g6", "pass"] })).toEqual([
      { sign: "leave", cell: "f6" },
      { sign: "cross", cell: "g6" },
    ]);
  });

  it("show a coin where it was taken, unless that ended badly", () => {
    const stay: Event = { key: "stay", rule: "R10", seat: 0, child: "b1", cell: "c4" };
    const coin: Event = { key: "coin", rule: "R10", seat: 0, owner: 1, coins: 1 };
    expect(signs(view(), [stay, coin], NOTHING)).toEqual([{ sign: "coin", cell: "c4" }]);
    expect(signs(view(), [stay, coin, DETENTION], NOTHING)).toEqual([{ sign: "catch", cell: "c4" }]);
  });
});
