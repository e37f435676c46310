import { beforeEach, expect, test, vi } from "vitest";
import { api } from "../../lib/net/api";
import type { GameFile } from "../../lib/results/game-file";
import { loadCatalogue } from "../../lib/catalogue/games";
import type { GameInfo, Replay, ReviewInfo, TableInfo } from "../../lib/net/protocol";
import { FileGame, TableGame } from "./replay-source";

const FILE: GameFile = {
  id: "file-1a2b3c4d",
  position: false,
  record: {
    game: "yard",
    seats: 4,
    actions: [
      [0, "a"],
      [-1, "b"],
    ],
    meta: { names: ["Ann", "greedy", "A name that is far too long for a seat", 7] },
  },
};
const PART: Replay = { seat: null, total: 3, frames: [] };
const DONE: ReviewInfo = { id: "r", status: "done", of: 1 };

beforeEach(async () => {
  vi.restoreAllMocks();
  vi.spyOn(api, "games").mockResolvedValue([{ id: "yard", bots: ["greedy", "normal"] } as unknown as GameInfo]);
  await loadCatalogue();
});

test("a table is asked for its game, its replay and its review", async () => {
  const table = { game: "yard", seats: [{ seat: 0, kind: "person", name: "Ann" }], origin: null };
  vi.spyOn(api, "table").mockResolvedValue(table as unknown as TableInfo);
  vi.spyOn(api, "record").mockResolvedValue({ result: { scores: [1] }, actions: [[0, "a"]] });
  const review = vi.spyOn(api, "review").mockResolvedValue(DONE);
  const source = new TableGame("t");
  expect(source.from).toEqual({ table: "t" });
  expect(await source.open()).toEqual({
    game: "yard",
    names: ["Ann"],
    own: [],
    actors: [0],
    result: { scores: [1] },
    origin: null,
  });
  await source.review();
  expect(review).toHaveBeenCalledWith("t");
});

test("a file goes along with whatever is asked of it, and the server looks at it first", async () => {
  const replay = vi.spyOn(api, "replayFile").mockResolvedValue(PART);
  const ask = vi.spyOn(api, "askFileReview").mockResolvedValue(DONE);
  const review = vi.spyOn(api, "fileReview").mockResolvedValue(DONE);
  const source = new FileGame(FILE);
  const { record } = FILE;
  const opened = await source.open();
  expect(replay).toHaveBeenCalledWith({ record, seat: null, first: 0, count: 1 });
  expect(opened).toMatchObject({ game: "yard", actors: [0, -1], result: null, own: [] });
  expect(opened.names).toEqual(["Ann", "Basile", "A name that is far too l", expect.any(String)]);
  await source.askReview();
  await source.review("r");
  expect([ask.mock.calls, review.mock.calls]).toEqual([[[record]], [["r"]]]);
  expect([source.id, source.from]).toEqual(["file-1a2b3c4d", { record }]);
});

test("a file that is refused shows nothing, and a position is played on from as such", async () => {
  vi.spyOn(api, "replayFile").mockRejectedValue(new Error("no"));
  await expect(new FileGame(FILE).open()).rejects.toThrow("no");
  const start = { game: "yard" };
  const { from } = new FileGame({ ...FILE, position: true, record: { ...FILE.record, start } });
  expect(from).toEqual({ position: start });
});
