import { expect, test } from "vitest";
import { measure, middle, spotAt, spotOf } from "./spots";

function stage(): { root: HTMLElement; card: HTMLElement; leaf: HTMLElement } {
  document.body.innerHTML = `<div id="root"><div data-spot="pile"><i id="leaf"></i></div><b id="card" data-spot="held"></b></div>`;
  const one = (id: string) => document.getElementById(id) as HTMLElement;
  return { root: one("root"), card: one("card"), leaf: one("leaf") };
}

test("every spot of a stage is measured, whatever it is in", () => {
  const { root, card } = stage();
  card.getBoundingClientRect = () => new DOMRect(1, 2, 30, 40);
  const spots = measure(root);
  expect([...spots.keys()]).toEqual(["pile", "held"]);
  expect(spots.get("held")).toMatchObject({ x: 1, y: 2, width: 30, height: 40 });
});

test("an element is on the spot around it", () => {
  const { root, leaf } = stage();
  expect(spotOf(leaf)).toBe("pile");
  expect(spotOf(root)).toBe(null);
  expect(spotOf(undefined)).toBe(null);
});

test("what is carried does not hide the spot under it", () => {
  const { card, leaf } = stage();
  document.elementsFromPoint = () => [card, leaf];
  expect(spotAt(0, 0)).toBe("held");
  expect(spotAt(0, 0, card)).toBe("pile");
});

test("the middle of a spot is told from the corner of a frame", () => {
  expect(middle(new DOMRect(10, 20, 30, 40), new DOMRect(5, 5, 500, 500))).toEqual({ x: 20, y: 35 });
});
