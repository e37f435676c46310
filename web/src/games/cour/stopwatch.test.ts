import { expect, test } from "vitest";
import { Stopwatch } from "./stopwatch";

test("the time runs from when the question first came on the screen, however often it is drawn", () => {
  const watch = new Stopwatch();
  watch.shows(12, 1_000);
  watch.shows(12, 1_400.6);
  expect(watch.took(12, 1_700.4)).toBe(700);
});

test("another question has its own time", () => {
  const watch = new Stopwatch();
  watch.shows(12, 1_000);
  watch.shows(15, 3_000);
  expect(watch.took(15, 3_250)).toBe(250);
  expect(watch.took(12, 3_250)).toBeUndefined();
});

test("what was never on the screen was not measured, and no time runs backwards", () => {
  const watch = new Stopwatch();
  expect(watch.took(12, 50)).toBeUndefined();
  watch.shows(12, 60);
  expect(watch.took(12, 50)).toBe(0);
});
