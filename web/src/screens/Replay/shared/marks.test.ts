import { expect, test } from "vitest";
import { place as bagarre } from "../../../games/bagarre/place";
import { place as cour } from "../../../games/cour/place";
import { place as recess } from "../../../games/recess/place";
import { allPlaces, findPlace, placeOf } from "./board-places";
import { arrow, inWords, markOf, MAX_MARKS, toggled } from "./marks";

type SceneOf<Place extends (scene: never, name: string) => string | null> = Parameters<Place>[0];
const texts = { say: (key: string, params: object = {}) => [key, ...Object.values(params)].join(" ") };
const WIRE = /^[A-Za-z0-9][A-Za-z0-9 ._:-]{0,31}$/;

test("the same again takes a mark away, and the oldest give way", () => {
  const ring = markOf("h8", "");
  expect(ring).toEqual(markOf("h8", "h8"));
  const both = toggled([ring], markOf("h8", "f6"));
  expect(both).toEqual([
    { kind: "ring", at: "h8" },
    { kind: "arrow", at: "h8", to: "f6" },
  ]);
  expect(toggled(both, ring)).toEqual([{ kind: "arrow", at: "h8", to: "f6" }]);
  let many = [ring];
  for (let n = 0; n < MAX_MARKS + 3; n++) many = toggled(many, markOf(`c${n}`, ""));
  expect(many).toHaveLength(MAX_MARKS);
  expect(many.at(-1)).toEqual({ kind: "ring", at: `c${MAX_MARKS + 2}` });
});

test("marks in words, as far as the game knows the places", () => {
  const called = (name: string) => (name === "nowhere" ? null : name.toUpperCase());
  expect(inWords(markOf("h8", "f6"), called)).toBe("H8 → F6");
  expect(inWords(markOf("h8", ""), called)).toBe("H8");
  expect(inWords(markOf("h8", "nowhere"), called)).toBe("");
});

test("an arrow leads from middle to middle, and none from a place to itself", () => {
  const box = { left: 0, top: 0, width: 30, height: 30 };
  expect(arrow(box, { ...box, left: 300 })).toMatch(/^M25\.0 15\.0L309\.0 15\.0M/);
  expect(arrow(box, box)).toBe("");
});

test("every game calls its places by name, and what is no place is none", () => {
  const yard = { texts } as unknown as SceneOf<typeof recess>;
  expect(["h8", "boys", "clock", ""].map((name) => recess(yard, name))).toEqual(["h8", "place.boys", null, null]);
  const view = { players: [{ front: [] }, { front: ["T02"] }] };
  const fight = { texts, view } as unknown as SceneOf<typeof bagarre>;
  expect(["pile", "toy:T02", "toy:T03", "held:0:F6", "jar:1"].map((name) => bagarre(fight, name))).toEqual([
    "page.place.pile",
    "page.toy_of T02 1",
    "page.place T03",
    "page.toy_of F6 0",
    "page.place.jar 1",
  ]);
  expect(["middle", "tale", "front", "stake", "jar:7", "hand:", "held:F6"].map((name) => bagarre(fight, name))).toEqual(
    Array(7).fill(null),
  );
  const leaves = { texts, names: ["Zoé", "Malo"] } as unknown as SceneOf<typeof cour>;
  expect(["pile", "seat:1", "open:brick", "held:0:car.2"].map((name) => cour(leaves, name))).toEqual([
    "page.place.pile",
    "Malo",
    "a.brick",
    "page.place.held page.numbered car 2 0",
  ]);
  expect(["open", "seat:2", "seat:"].map((name) => cour(leaves, name))).toEqual([null, null, null]);
  for (const name of ["held:0:partie_de_billes", "open:car.2", "seat:7", "h12"]) expect(name).toMatch(WIRE);
});

test("places are found on the board by their names, whatever these are", () => {
  const root = document.createElement("div");
  root.innerHTML = `<div data-spot="open"><b data-spot="held:a" data-place="held:0:a"><i></i></b></div><b data-spot="b2"></b>`;
  const called = (name: string) => (name === "open" ? null : name);
  const [inner, outer] = [root.querySelector("i"), root.querySelector("div")];
  expect(placeOf(inner, root, called)).toBe("held:0:a");
  expect(placeOf(outer, root, called)).toBeNull();
  expect(placeOf(root, root, called)).toBeNull();
  expect(findPlace(root, "held:0:a")).toBe(inner?.parentElement);
  expect(findPlace(root, "held:a")).toBeNull();
  expect(findPlace(root, `"], *`)).toBeNull();
  expect(allPlaces(root, called, "en")).toEqual([]); // nothing is drawn here
});
