import { expect, it } from "vitest";
import { worded } from "./events";
import { Texts } from "./messages";

const TEXTS = new Texts("en", { "event.draw": "", "event.own_draw": "", "event.turn": "" });

it("what is told to oneself replaces what everybody is told, and what has no words is left out", () => {
  const events = ["turn", "draw", "own_draw", "draw", "silent"].map((key) => ({ event: { key } }));
  expect(worded(TEXTS, events).map(({ event }) => event.key)).toEqual(["turn", "own_draw", "draw"]);
});
