import { expect, test } from "vitest";
import { FIGHT } from "./choices";
import { offersOf, openCard, openToy } from "./offers";
import { view as seen } from "./testing";
import type { View } from "./view";

const view = (phase: View["phase"]) => seen({ phase });
const scene = (legal: string[], picked: string | null = null) => ({ legal, picked });

test("a toy lies open while a fight or a friend is picked, and not while another card is", () => {
  const legal = ["fight T03", "lay T07", "special mamie"];
  expect(openToy(scene(legal), "T03")).toBe(true);
  expect(openToy(scene(legal, FIGHT), "T03")).toBe(true);
  expect(openToy(scene(legal, "F2"), "T03")).toBe(true);
  expect(openToy(scene(legal, "T07"), "T03")).toBe(false);
  expect(openToy(scene(legal), "T04")).toBe(false);
});

test("in a turn only friends lie open, once there is something to fight for", () => {
  expect(openCard(scene([]), view("action"), "F2", "T03")).toBe(true);
  expect(openCard(scene([]), view("action"), "F2", null)).toBe(false);
  expect(openCard(scene([]), view("action"), "mamie", "T03")).toBe(false);
});

test("elsewhere a card lies open if it can be used", () => {
  expect(openCard(scene(["place F2"]), view("attack"), "F2", null)).toBe(true);
  expect(openCard(scene(["place F2"]), view("attack"), "F3", null)).toBe(false);
  expect(openCard(scene(["maman yes", "maman no"]), view("maman"), "maman", null)).toBe(true);
  expect(openCard(scene(["maman no"]), view("maman"), "maman", null)).toBe(false);
});

test("a picked card has the places where it can go", () => {
  const legal = ["lay T07", "discard T07", "special mamie", "discard mamie"];
  expect(offersOf(scene(legal, "T07"), view("action"), null)).toEqual({
    lay: "lay T07",
    play: null,
    discard: "discard T07",
  });
  expect(offersOf(scene(legal, "mamie"), view("action"), null).play).toBe("special mamie");
  expect(offersOf(scene(legal, FIGHT), view("action"), "T03").play).toBe("fight T03");
  expect(offersOf(scene(legal, "T07"), view("excess"), null).discard).toBe(null);
  expect(offersOf(scene(legal), view("action"), null)).toEqual({ lay: null, play: null, discard: null });
});
