import { expect, test } from "vitest";
import english from "../../../../src/preau/games/cour/texts/en.json";
import french from "../../../../src/preau/games/cour/texts/fr.json";
import { Texts } from "../../lib/text/messages";
import { Stopwatch, verdict } from "./stopwatch";

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

test("a verdict says whether the sign was right, how long it took, and whose answer it was", () => {
  const zoe = new Texts("en", english, ["Zoé", "Malo"], 0);
  expect(verdict(zoe, 0, { result: "right", delay: 838 })).toBe("Right sign. Your time: 0.84 s.");
  expect(verdict(zoe, 1, { result: "right", delay: 1_200 })).toBe("Malo: 1.20 s.");
  expect(verdict(zoe, 0, { result: "wrong", delay: 500 })).toBe("Wrong sign: you are out of this race.");
  expect(verdict(zoe, 1, { result: "late" })).toBe("Malo, too late: out of this race.");
  const inFrench = new Texts("fr", french, ["Zoé", "Malo"], 0);
  expect(verdict(inFrench, 0, { result: "right", delay: 838 })).toBe("Bon signe. Ton temps\u202f: 0,84 s.");
});
