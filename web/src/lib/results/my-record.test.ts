import { readFileSync } from "node:fs";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { GamePage } from "../../games/contract";
import { feats as ofBagarre } from "../../games/bagarre/feats";
import { feats as ofCour } from "../../games/cour/feats";
import { feats as ofPlain } from "../../games/plain/feats";
import { feats as ofRecess } from "../../games/recess/feats";
import { hasHouseRules, summaryOf, saveResult } from "./save-result";
import { lessons } from "../learn/lessons.svelte";
import { myTables } from "../device/my-tables.svelte";
import { myRecord } from "./my-record.svelte";
import type { Finished } from "./tally";
import type { Seated, TableInfo } from "../net/protocol";

const RESULT = { scores: [3, 9], ranking: [[1], [0]], reason: "clock", detail: { kisser: 1 } };
const PAGE = { feats: (_: unknown, seat: number) => ({ kisses: seat }) } as unknown as GamePage;
const TABLE: TableInfo = {
  id: "k7c2",
  code: "abc",
  game: "yard",
  rules: "1",
  options: {},
  seats: [
    { seat: 0, kind: "person", name: "Zoé" },
    { seat: 1, kind: "bot", level: "hard" },
  ],
  visibility: "link",
  timer: {},
  status: "over",
  created: 0,
};
const GAME: Finished = summaryOf(TABLE, [0], RESULT, PAGE, { time: 50 });

beforeEach(() => {
  localStorage.clear();
  dispatchEvent(new StorageEvent("storage", { key: "preau.record" }));
  myTables.forgetAll();
});

afterEach(() => vi.unstubAllGlobals());

test("of a game little is kept: no names, no keys", () => {
  expect(GAME).toEqual({
    id: "k7c2",
    game: "yard",
    time: 50,
    own: [0],
    scores: [3, 9],
    ranking: [[1], [0]],
    levels: ["", "hard"],
    feats: { kisses: 0 },
  });
  const practice = summaryOf({ ...TABLE, hinted: 2 }, [0], RESULT, PAGE, { time: 50, lasted: 9, guided: true });
  expect(practice).toMatchObject({ hints: 2, lasted: 9, guided: true });
});

test("the end of a game is kept once, in the list and in the record", () => {
  myTables.keep({ table: TABLE, token: "secret", seats: [0], host: true } as Seated);
  for (const time of [50, 60]) saveResult(TABLE, [0], RESULT, PAGE, { time });
  expect(myTables.get("k7c2")?.result).toEqual({ scores: [3, 9], ranking: [[1], [0]], time: 50 });
  expect(myRecord.book.games.map(({ time }) => time)).toEqual([50]);
  expect(localStorage.getItem("preau.record")).not.toContain("secret");
});

test("whoever only watched keeps nothing", () => {
  saveResult(TABLE, [], RESULT, PAGE, { time: 50 });
  expect(myRecord.book.games).toEqual([]);
});

test("what another tab wrote down a moment ago is not lost", () => {
  myRecord.note(GAME);
  const other = { games: [GAME, { ...GAME, id: "other", time: 60 }], past: null, since: 0 };
  localStorage.setItem("preau.record", JSON.stringify(other)); // its event has not come yet
  myRecord.note({ ...GAME, id: "mine", time: 70 });
  expect(myRecord.book.games.map(({ id }) => id)).toEqual(["k7c2", "other", "mine"]);
});

test("what another tab saves shows here", () => {
  localStorage.setItem("preau.record", JSON.stringify({ games: [GAME], past: null, since: 0 }));
  dispatchEvent(new StorageEvent("storage", { key: "preau.record" }));
  expect(myRecord.tally.played).toBe(1);
});

test("without a store the games of this visit are kept all the same, and it is known", () => {
  const full = () => {
    throw new Error("full");
  };
  vi.stubGlobal("localStorage", { getItem: () => null, setItem: full });
  myRecord.note(GAME);
  myRecord.note({ ...GAME, id: "second", time: 60 });
  expect(myRecord.tally.played).toBe(2);
  expect(myRecord.lasting).toBe(false);
  vi.unstubAllGlobals();
  myRecord.note({ ...GAME, id: "third", time: 70 });
  expect(myRecord.lasting).toBe(true);
  expect(JSON.parse(localStorage.getItem("preau.record") ?? "{}").games).toHaveLength(3);
});

test("what was forgotten stays so, and comes back from a file alone", () => {
  const { book } = { book: { games: [GAME], past: null } };
  myRecord.note(GAME);
  myRecord.forgetAll();
  expect(myRecord.tally.played).toBe(0);
  expect(myRecord.knows("elsewhere", 50)).toBe(true);
  myRecord.note(GAME); // somebody looks at the old table once more
  expect(myRecord.tally.played).toBe(0);
  expect(myRecord.merge(book)).toBe(1);
  expect(myRecord.merge(book)).toBe(0);
  expect(myRecord.tally.played).toBe(1);
});

test("lessons from another device: the further one counts", () => {
  lessons.forgetAll();
  lessons.reach("yard", 4);
  lessons.merge({ yard: { at: 2, done: true }, street: { at: 1, done: false } });
  expect(lessons.everything).toEqual({ yard: { at: 4, done: true }, street: { at: 1, done: false } });
});

test("a game that is not offered has no house rules that anybody knows", () => {
  expect(hasHouseRules({ ...TABLE, options: { turns: 6 } })).toBe(false);
});

test("every game knows what is worth remembering", () => {
  const ended = { scores: [3, 9], ranking: [[1], [0]] };
  const recess = { ...ended, reason: "kiss", detail: { kisser: 1 } };
  expect([0, 1].map((seat) => ofRecess?.(recess, seat))).toEqual([{ kisses: 0 }, { kisses: 1 }]);
  const bagarre = { ...ended, reason: "goal", detail: { front: [4, 7], turns: 12 } };
  expect([0, 1].map((seat) => ofBagarre?.(bagarre, seat))).toEqual([
    { jars: 0, front: 4 },
    { jars: 1, front: 7 },
  ]);
  expect(ofCour?.({ ...ended, reason: "x", detail: { rounds: 3 } }, 0)).toEqual({ row: 0, row_stars: 0 });
  const plain = { ...ended, detail: { caught: [1, 0], rounds: 8, note: "x" } };
  expect(ofPlain?.(plain, 0)).toEqual({ caught: 1, rounds: 8 });
});

test.each([
  ["recess", ofRecess],
  ["bagarre", ofBagarre],
  ["cour", ofCour],
] as const)("what %s remembers has its words, and no others", (game, feats) => {
  const result = { scores: [3, 9], ranking: [[1], [0]], reason: "goal", detail: { front: [4, 7] } };
  const names = Object.keys((feats as GamePage["feats"])?.(result, 0) ?? {});
  for (const language of ["en", "fr"]) {
    const file = `../src/preau/games/${game}/texts/${language}.json`;
    const keys = Object.keys(JSON.parse(readFileSync(file, "utf8")) as object);
    expect(keys.filter((key) => key.startsWith("page.feat."))).toEqual(names.map((name) => `page.feat.${name}`));
  }
});
