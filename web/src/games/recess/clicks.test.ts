import { expect, test } from "vitest";
import { groupsOn, held, onCell, onDrop, onEntrance, onWaiting, underFinger, type Offer } from "./clicks";
import { MOVE_NUN, moveBy, STAY, view } from "./testing";
import type { View } from "./view";

const NOW = view({
  children: { "0b1": "e5", "0b2": "boys", "0g1": "k12", "0g2": "k12", "1b1": "f5" },
  prompt: moveBy(1),
});

const LEGAL = ["pass", "b1 e6", "b1 f5", "b2 a1", "g1 k11", "g2 k11"];

const offer = (changes: Partial<Offer> = {}): Offer => ({ view: NOW, legal: LEGAL, seat: 0, picked: null, ...changes });
const asked = (prompt: View["prompt"], legal: string[]): Offer => offer({ legal, view: { ...NOW, prompt } });

test("a first click picks a child, a second lets it go", () => {
  expect(onCell(offer(), "e5")).toEqual({ pick: "b1" });
  expect(onCell(offer({ picked: "b1" }), "e5")).toEqual({ pick: null });
});

test("a click on a crowded cell asks which child is meant", () => {
  const which = { ask: [{ pick: "g1" }, { pick: "g2" }] };
  expect(groupsOn(offer(), "k12")).toEqual(["g1", "g2"]);
  expect(onCell(offer(), "k12")).toEqual(which);
  expect(onCell(offer({ picked: "g1" }), "k12")).toEqual(which);
  expect(onCell(offer({ picked: "b1" }), "k12")).toEqual(which);
});

test("a finger between small cells is asked what it meant", () => {
  const far = { x: 4.5, y: 9.5 };
  expect(underFinger(offer({ picked: "b1" }), far.x, far.y, 0.6)).toBe(null);
  // e6 is the fifth column, the seventh row from the top; f5 lies beside and below it
  expect(underFinger(offer({ picked: "b1" }), 4.9, 6.9, 0.6)).toEqual({ ask: [{ act: "b1 f5" }, { act: "b1 e6" }] });
  expect(underFinger(offer({ picked: "b1" }), 4.3, 6.2, 0.6)).toBe(null);
});

test("with a child picked, a click on a cell sends it there, or asks why not", () => {
  expect(onCell(offer({ picked: "b1" }), "f5")).toEqual({ act: "b1 f5" });
  expect(onCell(offer({ picked: "b1" }), "h8")).toEqual({ act: "b1 h8" });
});

test("children at the entrance", () => {
  expect(onWaiting(offer(), "b2")).toEqual({ pick: "b2" });
  expect(onWaiting(offer({ picked: "b2" }), "b2")).toEqual({ pick: null });
  expect(onWaiting(offer({ legal: ["b1 e6"] }), "b2")).toEqual({ act: "b2 a1" });
  expect(onWaiting(offer({ legal: [] }), "b2")).toBe(null);
});

test("a click that means nothing yet is told what to do first", () => {
  expect(onCell(offer({ legal: ["g1 k11"] }), "e5")).toEqual({ act: "b1 e5" });
  expect(onCell(offer(), "f5")).toEqual({ say: "page.wrong.other", who: "1b1" });
  expect(onCell(offer(), "h8")).toEqual({ say: "page.wrong.child" });
  expect(onCell(offer(), "a1")).toEqual({ say: "page.wrong.later" });
  expect(onEntrance(NOW, LEGAL)).toEqual({ say: "page.wrong.child" });
  const nun = asked(MOVE_NUN, ["nun 0 a5", "nun 1 l11"]);
  expect(onCell(nun, "h8")).toEqual({ say: "page.wrong.nun" });
  expect(onCell(nun, "f5")).toEqual({ say: "page.wrong.done" });
  expect(onCell(asked(STAY, ["stay e5", "leave e5"]), "h8")).toEqual({ say: "page.wrong.choose", cell: "e5" });
  const waiting = asked({ key: "wait.nun", seat: 1, cost: "none", lost: 0 }, []);
  waiting.view.active = 1;
  expect(onCell(waiting, "h8")).toEqual({ say: "page.wrong.wait" });
});

test("a shove and a tale need no piece first", () => {
  const shove = asked({ key: "prompt.shove", seat: 0, piece: "b1", owner: 1 }, ["shove e6", "shove d5"]);
  expect(onCell(shove, "e6")).toEqual({ act: "shove e6" });
  expect(onCell(shove, "h8")).toEqual({ act: "shove h8" });
  const tale = asked({ key: "prompt.tell", seat: 0, child: "g1" }, ["share", "tattle 1 c7"]);
  expect(onCell(tale, "c7")).toEqual({ act: "tattle 1 c7" });
});

test("where two things are possible on one cell, a click does neither", () => {
  expect(onCell(asked(STAY, ["pass", "stay e5", "leave e5"]), "e5")).toBe(null);
});

test("a spectator, and whoever is not asked, clicks in vain", () => {
  expect(onCell(offer({ seat: null }), "e5")).toBe(null);
  expect(onCell(offer({ legal: [] }), "e5")).toBe(null);
});

test("dragging", () => {
  expect(onDrop("b1", "e5", "e6")).toEqual({ act: "b1 e6" });
  expect(onDrop("b1", "e5", "e5")).toBe(null);
});

test("a hand takes hold of what can be picked where it is pressed", () => {
  document.body.innerHTML = `<div data-spot="e5"><i></i></div><div data-spot="f5"></div><b data-spot="boys" data-child="b2"></b>`;
  expect(held(offer(), document.querySelector("i"))).toEqual({ group: "b1", from: "e5" });
  expect(held(offer(), document.querySelector("b"))).toEqual({ group: "b2", from: "boys" });
  expect(held(offer({ legal: ["b1 e6"] }), document.querySelector("b"))).toBe(null);
  expect(held(offer(), document.querySelector("[data-spot=f5]"))).toBe(null);
  expect(held(offer(), document.body)).toBe(null);
});
