import { expect, test } from "vitest";
import { marks as bagarre } from "../bagarre/marks";
import { marks as cour } from "../cour/marks";
import { marks as recess } from "../recess/marks";

type SceneOf<Marks extends (scene: never, action: string) => string[]> = Parameters<Marks>[0];

test("a child and its cell are marked, or the child at its entrance", () => {
  const view = { active: 0, nuns: ["a1", "l12"], children: { "0b1": "e5", "0g1": "girls" } };
  const scene = { view, seat: 0 } as unknown as SceneOf<typeof recess>;
  expect(recess(scene, "b1 f6")).toEqual(['[data-spot="e5"]', '[data-spot="f6"]']);
  expect(recess(scene, "g1 l11")).toEqual(['[data-spot="girls"][data-child="g1"]', '[data-spot="l11"]']);
  expect(recess(scene, "nun 1 k12")).toEqual(['[data-spot="l12"]', '[data-spot="k12"]']);
  expect(recess(scene, "stay e5")).toEqual(['[data-spot="e5"]']);
  expect(recess(scene, "pass")).toEqual([]);
});

test("a card in hand is marked, a toy in front, the pile, or a jar", () => {
  const view = { players: [{ hand: ["F6", "T01", "maman"], front: [] }, { front: ["T02"] }] };
  const scene = { view, seat: 0 } as unknown as SceneOf<typeof bagarre>;
  expect(bagarre(scene, "lay T01")).toEqual(['[data-spot="held:T01"]']);
  expect(bagarre(scene, "fight T02")).toEqual(['[data-spot="toy:T02"]']);
  expect(bagarre(scene, "discard F6")).toEqual(['[data-spot="held:F6"]', '[data-spot="discard"]']);
  expect(bagarre(scene, "draw")).toEqual(['[data-spot="pile"]']);
  expect(bagarre(scene, "seat 1")).toEqual(['[data-spot="jar:1"]']);
  expect(bagarre(scene, "maman yes")).toEqual(['[data-spot="held:maman"]']);
  expect(bagarre(scene, "maman no")).toEqual([]);
});

test("an open card is marked, and the seat it goes to", () => {
  const scene = {} as SceneOf<typeof cour>;
  expect(cour(scene, "keep brick")).toEqual(['[data-spot="open:brick"]']);
  expect(cour(scene, "give brick 2")).toEqual(['[data-spot="open:brick"]', '[data-spot="seat:2"]']);
  expect(cour(scene, "point 3")).toEqual(['[data-spot="seat:3"]']);
  expect(cour(scene, "point none")).toEqual([]);
  expect(cour(scene, "glue yes")).toEqual([]);
});
