import { describe, expect, test } from "vitest";
import { book, EMPTY, has, KEPT, merged, noted, salvaged, size, type Book } from "./record-book";
import { Invalid } from "./validation";
import { readRecordFile, writeRecordFile } from "./record-file";
import { addUp, type Finished } from "./tally";

const DAY = 86_400_000;

function game(n: number, more: Partial<Finished> = {}): Finished {
  const id = `t${n.toString().padStart(15, "0")}`.split("").reverse().join("");
  const places = { scores: [9, 4], ranking: [[0], [1]], levels: ["", "easy"] };
  return { id, game: "yard", time: n * DAY, own: [0], ...places, ...more };
}
const games = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => game(from + at));
const refusal = (what: () => unknown): Invalid => {
  try {
    what();
  } catch (error) {
    if (error instanceof Invalid) return error;
  }
  throw new Error("it was not refused");
};

test("a game is written down once", () => {
  const once = noted(EMPTY, game(1));
  expect(noted(once, game(1, { scores: [0, 0] }))).toBe(once);
  expect(once.games).toHaveLength(1);
});

test("games stand in the order of time, however they come", () => {
  const all = [3, 1, 2].reduce((found, n) => noted(found, game(n)), EMPTY);
  expect(all.games.map(({ time }) => time / DAY)).toEqual([1, 2, 3]);
});

describe("more games than are kept", () => {
  const full: Book = { games: games(1, KEPT + 1), past: null };
  const over = noted(noted(full, game(KEPT + 1)), game(KEPT + 2));

  test("the oldest are added up: nothing is lost, and none comes twice", () => {
    expect(over.games).toHaveLength(KEPT);
    expect(size(over)).toBe(KEPT + 2);
    expect(addUp(over.games, over.past)).toMatchObject({ played: KEPT + 2, longest: KEPT + 2, longestDays: KEPT + 2 });
    expect(has(over, game(1).id)).toBe(true);
    expect(noted(over, game(1))).toBe(over);
  });

  test("a book that was saved before they were added up brings none of them back", () => {
    const back = merged(over, full);
    expect(size(back)).toBe(KEPT + 2);
    expect(merged(full, over)).toEqual(back);
  });

  test("what two devices added up apart is the sum; what one of them has from the other counts once", () => {
    const other = noted({ games: games(5_000, 5_000 + KEPT), past: null }, game(9_000));
    const both = merged(over, other);
    expect(size(both)).toBe(2 * KEPT + 3);
    expect(size(merged(both, other))).toBe(2 * KEPT + 3);
    expect(size(merged(over, both))).toBe(2 * KEPT + 3);
  });
});

test("two books are one, with each game once", () => {
  const both = merged({ games: games(1, 4), past: null }, { games: games(3, 6), past: null });
  expect(both.games.map(({ time }) => time / DAY)).toEqual([1, 2, 3, 4, 5]);
});

test("of what this device kept, what is damaged is left out", () => {
  expect(salvaged(null)).toEqual(EMPTY);
  expect(salvaged("nonsense")).toEqual(EMPTY);
  expect(salvaged({ games: [game(2), { id: 7 }, null, game(1), game(2)], past: { played: "many" } })).toEqual({
    games: [game(1), game(2)],
    past: null,
  });
});

describe("the file", () => {
  const checks = { lessons: (value: unknown) => value };
  const all: Book = { games: [game(1, { feats: { row: 7 }, lasted: 60_000, house: true }), game(2)], past: null };

  test("what was written is read again", () => {
    const text = writeRecordFile({ book: all, parts: { lessons: { yard: { at: 2, done: false } } } }, 5);
    expect(readRecordFile(text, checks)).toEqual({ book: all, parts: { lessons: { yard: { at: 2, done: false } } } });
    expect(readRecordFile(writeRecordFile({ book: EMPTY, parts: {} }), checks)).toEqual({ book: EMPTY, parts: {} });
    const folded = noted({ games: games(1, KEPT + 1), past: null }, game(KEPT + 1));
    expect(readRecordFile(writeRecordFile({ book: folded, parts: {} }), checks).book).toEqual(folded);
  });

  test.each([
    ["", "ours"],
    ["no JSON", "ours"],
    ["[]", "ours"],
    ['{"format": "preau-record/1"}', "ours"],
    ['{"format": "preau-my-record", "version": 2, "games": []}', "newer"],
    ['{"format": "preau-my-record", "version": "1", "games": []}', "version"],
    ['{"format": "preau-my-record", "version": 1}', "list"],
  ])("another file is refused: %s", (text, should) => {
    expect(refusal(() => readRecordFile(text, checks)).should).toBe(should);
  });

  test.each<[Partial<Record<keyof Finished, unknown>>, string, string]>([
    [{ id: "../settings" }, "games[0].id", "text"],
    [{ time: "today" }, "games[0].time", "whole"],
    [{ time: -1 }, "games[0].time", "number"],
    [{ own: [] }, "games[0].own", "own"],
    [{ own: [2] }, "games[0].own", "own"],
    [{ scores: [1, null] }, "games[0].scores[1]", "number"],
    [{ ranking: [[0], [0]] }, "games[0].ranking", "ranking"],
    [{ ranking: [[0]] }, "games[0].ranking", "ranking"],
    [{ levels: [""] }, "games[0].levels", "levels"],
    [{ levels: ["", "<b>"] }, "games[0].levels[1]", "text"],
    [{ house: 1 }, "games[0].house", "flag"],
    [{ feats: { "a b": 1 } }, "games[0].feats", "map"],
    [{ feats: [] }, "games[0].feats", "object"],
  ])("a game that cannot be is refused with its place: %j", (more, where, should) => {
    const wrong = refusal(() => book({ games: [{ ...game(1), ...more }], past: null }, ""));
    expect([wrong.where, wrong.should]).toEqual([where, should]);
  });

  test("what nobody asked for is not taken over", () => {
    const found = book({ games: [{ ...game(1), token: "secret" }], past: null, more: 1 }, "");
    expect(found).toEqual({ games: [game(1)], past: null });
  });
});
