import { describe, expect, test } from "vitest";
import { addUp, against, average, daysInARow, featsOf, MIXED, PEOPLE, placeOf, sumOf, type Finished } from "./tally";

const NOON = new Date(2026, 10, 17, 12).getTime();
const HOURS = 3_600_000;

function game(more: Partial<Finished> = {}): Finished {
  return {
    id: "t1",
    game: "yard",
    time: NOON,
    own: [0],
    scores: [9, 4, 2],
    ranking: [[0], [1], [2]],
    levels: ["", "easy", "easy"],
    ...more,
  };
}
const LOST = { scores: [2, 9, 4], ranking: [[1], [2], [0]] };
const days = (...back: number[]) => back.map((n) => game({ id: `d${n}`, time: NOON - n * 24 * HOURS }));

describe("one game", () => {
  test("the place counts all who were better, and equals share it", () => {
    expect(placeOf(game())).toBe(1);
    expect(placeOf(game(LOST))).toBe(3);
    expect(placeOf(game({ ranking: [[1, 2], [0]] }))).toBe(3);
    expect(placeOf(game({ ranking: [[1], [0, 2]] }))).toBe(2);
  });

  test("around one screen nobody has a place of their own", () => {
    expect(placeOf(game({ own: [0, 1] }))).toBeNull();
  });

  test("it was against bots of a level, of several, or against people", () => {
    expect(against(game())).toBe("easy");
    expect(against(game({ levels: ["", "easy", "hard"] }))).toBe(MIXED);
    expect(against(game({ levels: ["", "", "hard"] }))).toBe(PEOPLE);
  });

  test("feats are told only where games can be compared", () => {
    const feats = { kisses: 1 };
    expect(featsOf(game({ feats }))).toEqual({ kisses: 1, points: 9 });
    expect(featsOf(game({ feats, house: true }))).toEqual({});
    expect(featsOf(game({ feats, hints: 2 }))).toEqual({});
    expect(featsOf(game({ feats, own: [0, 1] }))).toEqual({});
  });
});

test("games add up by game and by whom they were against", () => {
  const tally = addUp([game(), game({ id: "t2", ...LOST }), game({ id: "t3", levels: ["", "hard", "hard"] })]);
  expect(tally).toMatchObject({ played: 3, counted: 3, won: 2 });
  expect(tally.games["yard"]?.against).toEqual({
    easy: { played: 2, won: 1, places: 4 },
    hard: { played: 1, won: 1, places: 1 },
  });
  expect(average({ played: 2, won: 1, places: 4 })).toBe(2);
  expect(average({ played: 0, won: 0, places: 0 })).toBe(0);
});

test("practice and games around one screen are played, not won or lost", () => {
  const tally = addUp([game({ hints: 1 }), game({ id: "t2", own: [0, 2] })]);
  expect(tally).toMatchObject({ played: 2, counted: 0, won: 0, streak: 0 });
  expect(tally.games["yard"]).toMatchObject({ practice: 1, shared: 1, against: {}, feats: {} });
});

test("wins in a row end with the first game that is lost, and the most are remembered", () => {
  const games = [game(), game({ id: "b" }), game({ id: "c", hints: 1, ...LOST }), game({ id: "d" })];
  expect(addUp(games)).toMatchObject({ streak: 3, longest: 3 });
  expect(addUp([...games, game({ id: "e", ...LOST }), game({ id: "f" })])).toMatchObject({ streak: 1, longest: 3 });
});

test("days in a row: several games on a day are one, a day without ends it, today need not have one yet", () => {
  const tally = addUp([...days(9, 8, 7, 2, 1), game({ id: "late", time: NOON - 20 * HOURS })]);
  expect(tally).toMatchObject({ days: 2, longestDays: 3 });
  expect(daysInARow(tally, NOON)).toBe(2);
  expect(daysInARow(tally, NOON + 24 * HOURS)).toBe(0);
});

test("a night in which the clocks change is one night", () => {
  const around = [24, 25, 26].map((day) => game({ id: `o${day}`, time: new Date(2026, 9, day, 23).getTime() }));
  expect(addUp(around).days).toBe(3);
});

test("the best is the first that had so much, and all are counted", () => {
  const tally = addUp([7, 12, 12].map((n, at) => game({ id: `t${at}`, time: NOON + at, scores: [n, 4, 2] })));
  expect(tally.games["yard"]?.feats["points"]).toEqual({ most: 12, total: 31, id: "t1", time: NOON + 1 });
});

test("added up in two parts or in one, it is the same; and two sums are the sum", () => {
  const games = [...days(6, 5, 4), game({ id: "x", time: NOON - 3 * 24 * HOURS, ...LOST }), ...days(2, 1)];
  expect(addUp(games.slice(2), addUp(games.slice(0, 2)))).toEqual(addUp(games));
  const [early, late] = [addUp(games.slice(0, 3)), addUp(games.slice(3))];
  const sum = sumOf(early, late);
  expect(sum).toMatchObject({ played: 6, won: 5, streak: 2, longest: 3 });
  expect(sum.games).toEqual(addUp(games).games);
  expect(sumOf(late, early)).toEqual(sum);
});

test("a game may be called anything", () => {
  const tally = addUp([game({ game: "constructor", feats: { toString: 3 } })]);
  expect(tally.games["constructor"]?.played).toBe(1);
});
