import { afterEach, expect, test, vi } from "vitest";

/** The words as a page finds them that was opened just now, in English. */
async function opened() {
  vi.resetModules();
  const { settings } = await import("../device/settings.svelte");
  settings.language = "en";
  return { settings, ...(await import("./words.svelte")) };
}

/** Other tests find the language as it was: it is kept on the device, and by the module that was loaded last. */
afterEach(async () => {
  const { settings } = await import("../device/settings.svelte");
  settings.language = "en";
});

test("words are here once they are learned, and in one language", async () => {
  const { hasText, loadWords, say } = await opened();
  expect(say("home.rules")).toBe("⟨home.rules⟩");
  await loadWords(["first", "NoSuchScreen"]);
  expect(say("home.rules")).toBe("Rules");
  expect(hasText("settings.language")).toBe(false);
  await loadWords(["Settings"]);
  expect(hasText("settings.language")).toBe(true);
});

test("another language is spoken when all its words are here", async () => {
  const { loadWords, say, settings, setLanguage } = await opened();
  await loadWords(["first", "Settings"]);
  const spoken = setLanguage("fr");
  expect([settings.language, say("home.rules")]).toEqual(["en", "Rules"]);
  await spoken;
  expect([settings.language, say("home.rules"), say("settings.language")]).toEqual(["fr", "Règles", "Langue"]);
});

test("a language that was chosen in another window is learned first", async () => {
  const { loadWords, say, settings } = await opened();
  await loadWords(["first", "Settings"]);
  settings.language = "fr";
  expect(say("home.rules")).toBe("Rules");
  await loadWords([], "fr");
  expect([say("home.rules"), say("settings.language")]).toEqual(["Règles", "Langue"]);
});
