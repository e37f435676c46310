import { beforeEach, expect, test, vi } from "vitest";
import type { GameInfo } from "../net/protocol";

const RECORD = {
  format: "preau-record/1",
  game: "yard",
  rules: "1.2",
  seats: 3,
  options: {},
  meta: { names: ["Ann", "Bo", "greedy"], origin: { kind: "table" } },
  actions: [
    [0, "a"],
    [-1, "b"],
  ],
  times: [1, 2],
  check: "12345678",
  result: { scores: [1, 0, 0] },
};

/** As after loading the page anew: nothing is in memory, and what the tab keeps is there. */
async function loaded() {
  vi.resetModules();
  const { api } = await import("../net/api");
  vi.spyOn(api, "games").mockResolvedValue([{ id: "yard", rules: "1.2" } as GameInfo]);
  await (await import("../catalogue/games")).loadCatalogue();
  return import("./game-file");
}

function refusal(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return (error as { key: string }).key;
  }
  return "";
}

beforeEach(() => sessionStorage.clear());

test("a record is read without what nobody needs to look at it, and goes by what is in it", async () => {
  const { readGameFile, isFile } = await loaded();
  const { times: _, ...rest } = RECORD;
  const file = readGameFile(JSON.stringify(RECORD, null, 2));
  expect(file.record).toEqual({ ...rest, meta: { names: ["Ann", "Bo", "greedy"] } });
  expect([file.position, isFile(file.id), isFile("k7c2mzq4tn8w3xrp")]).toEqual([false, true, false]);
  expect(file.id).toMatch(/^file-[0-9a-f]{8}$/);
  expect(readGameFile(`${JSON.stringify(RECORD)}\n`).id).toBe(file.id);
  expect(readGameFile(JSON.stringify({ ...RECORD, rules: "2" })).id).not.toBe(file.id);
});

test("a position is a game of which nothing was played", async () => {
  const { readGameFile } = await loaded();
  const position = { game: "yard", seats: 3, turn: 4 };
  const { record, position: only } = readGameFile(JSON.stringify(position));
  expect(only).toBe(true);
  expect(record).toEqual({
    format: "preau-record/1",
    game: "yard",
    rules: "1.2",
    seats: 3,
    options: {},
    start: position,
    actions: [],
  });
});

test("other files are told apart", async () => {
  const { MOST, readGameFile } = await loaded();
  const line = JSON.stringify(RECORD);
  for (const [text, key] of [
    ["", "file.unreadable"],
    ["[1, 2]", "file.unreadable"],
    ["null", "file.unreadable"],
    [line.slice(0, -9), "file.unreadable"],
    [`${line}\n${line}\n`, "file.several"],
    [JSON.stringify({ format: "preau-my-record", version: 1, games: [] }), "file.mine"],
    ["{}", "why.record_format"],
    [JSON.stringify({ ...RECORD, seats: "3" }), "why.record_format"],
    [JSON.stringify({ ...RECORD, format: undefined }), "why.record_format"],
    [JSON.stringify({ ...RECORD, options: { board: "x".repeat(MOST) } }), "file.large"],
  ] as const)
    expect([text.slice(0, 40), refusal(() => readGameFile(text))]).toEqual([text.slice(0, 40), key]);
});

test("the newest files stay in the tab", async () => {
  const { keepGameFile, findGameFile, readGameFile, MAX_GAME_FILES } = await loaded();
  const files = Array.from({ length: MAX_GAME_FILES + 1 }, (_, n) =>
    readGameFile(JSON.stringify({ ...RECORD, rules: `${n}` })),
  );
  for (const file of [...files, files[2]!]) keepGameFile(file);
  const again = await loaded();
  expect(files.map(({ id }) => again.findGameFile(id)?.record["rules"])).toEqual([undefined, "1", "2", "3", "4"]);
  expect(findGameFile("file-nosuch00")).toBeUndefined();
});

test("a browser that keeps nothing has the file until the page is loaded anew", async () => {
  const { keepGameFile, findGameFile, readGameFile } = await loaded();
  vi.stubGlobal("sessionStorage", undefined); // whatever is asked of it is an error
  const file = readGameFile(JSON.stringify(RECORD));
  keepGameFile(file);
  vi.unstubAllGlobals();
  expect(findGameFile(file.id)).toEqual(file);
  expect((await loaded()).findGameFile(file.id)).toBeUndefined();
});
