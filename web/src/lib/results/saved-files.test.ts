/** Files that the page of an earlier commit wrote are read: games, and the record of a player's games. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { EXPORT_PARTS } from "./export-parts";
import { readGameFile } from "./game-file";
import { readRecordFile, writeRecordFile, type Contents } from "./record-file";

const FOLDER = "../tests/saved/27acfb8";
const saved = (name: string) => readFileSync(`${FOLDER}/${name}`, "utf8");

/** The names that the page of that commit gave these games in addresses. */
const IDS = { recess: "file-69d21d1f", bagarre: "file-36d6bcff", cour: "file-04b74437" };

test.each(Object.entries(IDS))("a saved game of %s keeps its address", (game, id) => {
  const file = readGameFile(saved(`records/${game}-page.json`));
  expect([file.record.game, file.id, file.position]).toEqual([game, id, false]);
});

test("an exported record is read whole, and written with the same fields", () => {
  const text = saved("my-record.json");
  const checks = Object.fromEntries(Object.entries(EXPORT_PARTS).map(([name, { check }]) => [name, check]));
  const found: Contents = readRecordFile(text, checks);
  const { format: _, version: __, saved: at, games, past, ...parts } = JSON.parse(text) as Record<string, unknown>;
  expect(found).toEqual({ book: { games, past }, parts });
  expect(found.book.games).toHaveLength(12);
  expect(Object.keys(found.parts)).toEqual(["lessons", "puzzles", "challenges"]);
  expect(JSON.parse(writeRecordFile(found, at as number))).toEqual(JSON.parse(text));
});
