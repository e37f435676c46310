import { afterEach, expect, test } from "vitest";
import { challenges } from "../../lib/learn/challenges.svelte";
import { Texts } from "../../lib/text/messages";
import { settings } from "../../lib/device/settings.svelte";
import { dayName, shared, timeLeft } from "./challenge";

const MARBLES = new Texts("en", { points: "{n, plural, one {# marble} other {# marbles}}" });

afterEach(() => (settings.language = "en"));

test("days are named as one says them, in UTC", () => {
  expect(dayName("2026-11-17", "en")).toBe("17 November");
  expect(dayName("2026-11-17", "fr", "weekday")).toBe("mardi 17 novembre");
  expect(dayName("2026-11-01", "fr")).toBe("1er novembre");
  expect(dayName("2026-11-11", "fr")).toBe("11 novembre");
  expect(dayName("yesterday", "fr")).toBe("yesterday");
  expect(dayName("2026-11-21", "fr", "short")).toBe("21 nov.");
});

test("the time that is left is hours and minutes, and never nothing", () => {
  settings.language = "en";
  expect(timeLeft(5 * 3_600_000 + 11 * 60_000 + 1)).toBe("5 h 12 min");
  expect(timeLeft(59 * 60_000)).toBe("59 min");
  expect(timeLeft(-1)).toBe("1 min");
});

test("what is shared says the game, the day, the best and of how many tries", () => {
  const day = "2026-11-17";
  expect(shared("none", day, MARBLES)).toBe("");
  challenges.finish("none", day, { table: "a", begun: day, measure: 8, place: 1, of: 3 });
  settings.language = "en";
  expect(shared("none", day, MARBLES)).toBe("Préau, none of 17 November: 8 marbles (in one try)");
  challenges.finish("none", day, { table: "b", begun: day, measure: 1, place: 1, of: 3 });
  settings.language = "fr";
  const said = shared("none", day, new Texts("fr", { points: "{n} billes" }));
  expect(said).toBe("Préau, none du 17 novembre\u202f: 8 billes (meilleur de 2)");
});
