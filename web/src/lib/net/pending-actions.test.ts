import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Errand } from "./pending-actions.svelte";
import type { Act } from "./protocol";

let sent: Act[];
let errand: Errand;

beforeEach(() => {
  vi.useFakeTimers();
  sent = [];
  errand = new Errand((act) => sent.push(act));
});

afterEach(() => void vi.useRealTimers());

test("an action is on its way until its own name is answered", () => {
  errand.go(5, 0, "pass", null);
  expect(sent).toMatchObject([{ type: "act", at: 5, seat: 0, action: "pass", delay: null }]);
  errand.done("another");
  errand.done(undefined);
  expect(errand.busy(0)).toBe(true);
  errand.done(sent[0]?.id);
  expect(errand.busy(0)).toBe(false);
});

test("it goes out again word for word, and never once it was answered", () => {
  errand.go(5, 0, "pass", 120);
  errand.again();
  expect(sent[1]).toEqual(sent[0]);
  errand.later(sent[0]?.id);
  errand.done(sent[0]?.id);
  vi.runAllTimers();
  expect(sent).toHaveLength(2);
});

test("every action has a name of its own", () => {
  errand.go(5, 0, "pass", null);
  errand.done(sent[0]?.id);
  errand.go(5, 0, "pass", null);
  expect(sent[0]?.id).not.toBe(sent[1]?.id);
  expect(errand.is(sent[1]?.id)).toBe(true);
});

test("each seat has an errand of its own", () => {
  errand.go(5, 0, "point 1", 300);
  errand.go(5, 1, "point 0", 310);
  expect(sent.map(({ seat }) => seat)).toEqual([0, 1]);
  errand.done(sent[0]?.id);
  expect([errand.busy(0), errand.busy(1)]).toEqual([false, true]);
  errand.again();
  expect(sent.at(-1)).toEqual(sent[1]);
});
