import { expect, test } from "vitest";
import { scene, view } from "./testing";
import { aims, collections, pileSize, openCards, slapping, stem, turnSteps, type View } from "./view";

test("a hand lies in its collections, toys first", () => {
  expect(collections({ leaf: 1, "brick.2": 1, marble: 2, "brick.1": 2 })).toEqual([
    { type: "marble", kinds: ["marble", "marble"] },
    { type: "brick", kinds: ["brick.2", "brick.1", "brick.1"] },
    { type: "leaf", kinds: ["leaf"] },
  ]);
});

test("the pile is what is drawn at random and what lies under it", () => {
  expect(pileSize(view({ pool: { marble: 3, king: 1 }, under: ["leaf", "leaf"] }))).toBe(6);
});

test("a seat is a target while a seat is asked for", () => {
  expect(aims(scene({ legal: ["keep marble"] }))).toBeNull();
  expect(aims(scene({ legal: ["trade yes", "trade no"] }))).toBeNull();
  const stealing = aims(scene({ legal: ["steal 1", "steal 3"] }));
  expect(stealing?.legal).toEqual(new Set([1, 3]));
  expect(stealing?.actions[2]).toBe("steal 2");
});

test("giving asks for the card before the seat, unless there is only one", () => {
  const legal = ["give brick 1", "give brick 2", "give leaf 1", "give leaf 2"];
  expect(aims(scene({ legal }))).toBeNull();
  expect(aims(scene({ legal, picked: "give leaf" }))?.actions[1]).toBe("give leaf 1");
  expect(aims(scene({ legal, picked: "give car" }))).toBeNull();
  expect(aims(scene({ legal: legal.slice(0, 2) }))?.actions[1]).toBe("give brick 1");
});

test("pointing at nobody is no seat, and the sign of a real slap", () => {
  const live = scene({ legal: ["point 1", "point 2", "point none"] });
  expect(aims(live)?.legal).toEqual(new Set([1, 2]));
  expect(slapping(live)).toBe(true);
  expect(slapping(scene({ legal: ["point 1", "point 2"] }))).toBe(false);
});

test("the stem of an action is the action without its seat", () => {
  expect(stem("give brick.2 3")).toBe("give brick.2");
});

test("open cards of one kind are told apart, and know what can be done with them", () => {
  const legal = ["keep car", "give car 1", "keep leaf", "trade yes"];
  expect(openCards(scene({ legal, view: view({ turn: 7, open: ["car", "leaf", "car"] }) }))).toEqual([
    { id: "7 car 0", kind: "car", actions: ["keep car", "give car 1"] },
    { id: "7 leaf 0", kind: "leaf", actions: ["keep leaf"] },
    { id: "7 car 1", kind: "car", actions: ["keep car", "give car 1"] },
  ]);
});

test("what becomes of the cards turned over: with the glue pot two are kept, and none goes back", () => {
  const steps = (open: string[], to_keep: number) =>
    turnSteps(view({ phase: to_keep ? "keep" : "give", open, to_keep } as Partial<View>));
  const usual = ["keep", "give", "put_back"];
  expect(steps(["leaf", "car", "brick"], 1)).toEqual({ steps: usual, now: 0 });
  expect(steps(["leaf", "brick"], 0)).toEqual({ steps: usual, now: 1 });
  const glued = ["keep", "keep", "give"];
  expect(steps(["leaf", "car", "brick"], 2)).toEqual({ steps: glued, now: 0 });
  expect(steps(["leaf", "brick"], 1)).toEqual({ steps: glued, now: 1 });
  expect(steps(["leaf"], 0)).toEqual({ steps: glued, now: 2 });
});
