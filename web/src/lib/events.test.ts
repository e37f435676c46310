import { expect, it } from "vitest";
import { worded } from "./events";
import { Texts } from "./messages";

const TEXTS = new Texts("en", { "event.draw": "", "event.turn": "" });

it("what has no words is left out", () => {
  const events = ["turn", "draw", "silent", "draw"].map((key) => ({ event: { key } }));
  expect(worded(TEXTS, events).map(({ event }) => event.key)).toEqual(["turn", "draw", "draw"]);
});
