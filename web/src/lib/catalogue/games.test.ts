import { afterEach, expect, test, vi } from "vitest";
import { gameInfo, games, gameTitle, loadCatalogue } from "./games";

const GAMES = [{ id: "tag", titles: { en: "Tag", fr: "Chat" }, secrets: false }];

afterEach(() => {
  vi.unstubAllGlobals();
  document.body.innerHTML = "";
});

test("the games are those that the server has put into the page", async () => {
  const asked = vi.fn();
  vi.stubGlobal("fetch", asked);
  document.body.innerHTML = `<script type="application/json" id="games">${JSON.stringify(GAMES)}</script>`;
  await loadCatalogue();
  expect(games().map(({ id }) => id)).toEqual(["tag"]);
  expect(gameInfo("tag")?.secrets).toBe(false);
  expect(gameTitle("tag")).toBe("Tag");
  expect(gameTitle("gone")).toBe("gone");
  expect(asked).not.toHaveBeenCalled();
});

test("a page that came from elsewhere asks for them", async () => {
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(JSON.stringify([{ ...GAMES[0], id: "hide" }]))));
  document.body.innerHTML = '<script type="application/json" id="games"></script>';
  await loadCatalogue();
  expect(games().map(({ id }) => id)).toEqual(["hide"]);
});
