import { beforeEach, expect, test } from "vitest";
import { EXPORT_PARTS } from "./export-parts";
import { Invalid } from "./validation";

const GIVEN: { [name: string]: unknown } = {
  lessons: { yard: { at: 3, done: true } },
  puzzles: { games: { yard: { ab12cd34: { how: "solved", day: "2026-11-17" } } }, run: 1, best: 4 },
  challenges: { yard: { "2026-11-17": [{ table: "abc", begun: "2026-11-17", measure: 12, place: 1, of: 3 }] } },
};

beforeEach(() => {
  for (const part of Object.values(EXPORT_PARTS)) part.forget();
});

test.each(Object.entries(EXPORT_PARTS))("%s go along and come in", (name, part) => {
  const given = GIVEN[name];
  expect(part.check(structuredClone(given), name)).toEqual(given);
  part.take(part.check(given, name));
  expect(part.give()).toEqual({ ...part.give(), ...(name === "puzzles" ? { best: 4 } : (given as object)) });
  part.forget();
  expect(JSON.stringify(part.give())).not.toContain("yard");
});

test.each([
  ["lessons", { yard: { at: -1, done: true } }, "lessons.yard.at"],
  [
    "puzzles",
    { games: { yard: { a: { how: "guessed", day: "2026-11-17" } } }, run: 0, best: 0 },
    "puzzles.games.yard.a.how",
  ],
  [
    "challenges",
    { yard: { "2026-11-17": [{ table: "../x", begun: "2026-11-17" }] } },
    "challenges.yard.2026-11-17[0].table",
  ],
])("%s that nobody can have written here are refused", (name, value, where) => {
  const check = () => EXPORT_PARTS[name]?.check(value, name);
  expect(check).toThrow(Invalid);
  expect(check).toThrow(where);
});
