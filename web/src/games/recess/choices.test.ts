import { expect, test } from "vitest";
import { choices } from "./choices";
import { cellLabel } from "./labels";
import { scene, view } from "./testing";
import type { View } from "./view";

const NOW = view({
  children: { "0b1": "e5", "0g1": "girls", "1b1": "f5", "1b2": "h8", "2g1": "h8" },
  nuns: ["d5", "l12"],
  fights: [{ cell: "h8", attacker: "1b2", victim: "2g1" }],
  yard: ".".repeat(143) + "S",
  seen: ["f5"],
  prompt: { key: "prompt.move", seat: 0, movement: 2 },
  landings: { "b1 f5": "fight", "g1 l12": "safe", "tattle 0 h8": "tattle", "tattle 1 h8": "tattle" },
});

function labels(legal: string[], changes: Partial<View> = {}, language: "en" | "fr" = "en"): string[] {
  return choices(scene({ ...NOW, ...changes }, legal, language)).choices.map((one) => one.label);
}

test("children to pick first, then where they go, and passing last", () => {
  const offered = choices(scene(NOW, ["pass", "b1 f5", "b1 e7", "g1 l12"]));
  expect(offered.groups).toEqual([
    { id: "b1", label: "Boy 1 (e5)" },
    { id: "g1", label: "Girl 1 (entrance)" },
  ]);
  expect(offered.choices).toEqual([
    { action: "b1 f5", label: "To f5: pin boy 1 of Max down", group: "b1" },
    { action: "b1 e7", label: "To e7", group: "b1" },
    { action: "g1 l12", label: "To l12, safe", group: "g1" },
    { action: "pass", label: "Pass the turn" },
  ]);
});

test("nuns are groups too", () => {
  expect(choices(scene(NOW, ["nun 0 h8", "nun 1 l11"])).groups).toEqual([
    { id: "nun 0", label: "Nun 0 (d5)" },
    { id: "nun 1", label: "Nun 1 (l12)" },
  ]);
});

test("telling says on whom, and which nun only where both stand", () => {
  expect(labels(["tattle 0 h8", "share"])).toEqual(["Tell on Max against Inès on h8", "Say nothing"]);
  expect(labels(["tattle 1 h8"], { nuns: ["k12", "k12"] })).toEqual(["Tell nun 1 on Max against Inès on h8"]);
});

test("skipping a movement and leaving the nuns are different words", () => {
  expect(labels(["skip"])).toEqual(["Skip the 2"]);
  expect(labels(["skip"], { prompt: { key: "prompt.nun", seat: 0 } })).toEqual(["Leave the nuns where they are"]);
});

test("the same in French", () => {
  expect(labels(["b1 f5", "stay e5", "leave e5"], {}, "fr")).toEqual([
    "En f5\u202f: plaquer garçon 1 de Max",
    "Rester en e5 pour une pièce de plus",
    "Quitter la bagarre en e5",
  ]);
});

test("a cell says what is on it", () => {
  const { texts } = scene(NOW, []);
  expect(cellLabel(NOW, texts, "f5", "fight", false)).toBe("f5, boy 1 of Max, seen by a nun, can go here: a fight");
  expect(cellLabel(NOW, texts, "h8", null, false)).toBe("h8, boy 2 of Max holds girl 1 of Inès down");
  expect(cellLabel(NOW, texts, "l12", null, false)).toBe("l12, slide, safety, nun 1");
  expect(cellLabel(NOW, texts, "e5", null, true)).toBe("e5, boy 1 of Zoé, can be moved");
});
