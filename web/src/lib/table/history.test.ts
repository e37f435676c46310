import { expect, test } from "vitest";
import { History } from "./history.svelte";
import type { Step } from "../net/protocol";

const step = (number: number, actor = 1): Step => ({ number, actor, time: 0, events: [{ key: "e" }] });
const numbers = (history: History) => history.steps.map(({ number }) => number);

function begun(): History {
  const history = new History();
  history.begin(6, [step(5), step(6)], false, true);
  return history;
}

test("after a break only what was missed is added", () => {
  const history = begun();
  history.begin(8, [step(6), step(7), step(8)], false, false);
  expect(numbers(history)).toEqual([5, 6, 7, 8]);
  expect(history.known).toBe(8);
});

test("through other eyes, or with a gap, the account begins anew", () => {
  const history = begun();
  history.begin(8, [step(8)], false, true);
  expect(numbers(history)).toEqual([8]);
  history.begin(90, [step(90)], true, false);
  expect(numbers(history)).toEqual([90]);
  expect(history.gap).toBe(true);
});

test("whoever forgets is told everything", () => {
  const history = begun();
  history.forget();
  history.begin(6, [step(6)], false, false);
  expect(numbers(history)).toEqual([6]);
});

test("what is taken back goes", () => {
  const history = begun();
  history.add(step(7), null);
  history.add({ ...step(8), events: [] }, 5);
  expect(numbers(history)).toEqual([5, 8]);
});

test("a deed is something that was seen", () => {
  const history = begun();
  history.add({ ...step(7, 0), events: [] }, null);
  expect(history.hasActionOf([0])).toBe(false);
  history.add(step(8, 0), null);
  expect(history.hasActionOf([0, 3])).toBe(true);
});
