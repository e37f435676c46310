/** The page's own words in the reader's language, and the messages of the games. */
import en from "../texts/en.json";
import fr from "../texts/fr.json";
import { api } from "./api";
import { Texts, type Params } from "./messages";
import { settings, type Language } from "./settings.svelte";

const OWN = { en: new Texts("en", en), fr: new Texts("fr", fr) };

/** A text of the page itself; `names` are those of seats in it. Follows the language at once wherever a component uses it. */
export function say(key: string, params: Params = {}, names: readonly string[] = []): string {
  return OWN[settings.language].named(names).say(key, params);
}

/** "Ann, Bo and Cy". */
export function list(words: readonly string[]): string {
  return OWN[settings.language].list(words);
}

export function hasText(key: string): boolean {
  return OWN[settings.language].has(key);
}

const loaded = new Map<string, Promise<Texts>>();

/** All messages of a game in one language; loaded once. */
export function gameTexts(game: string, language: Language): Promise<Texts> {
  const key = `${game}/${language}`;
  let texts = loaded.get(key);
  if (!texts) {
    texts = api.texts(game, language).then((found) => new Texts(language, found.messages));
    texts.catch(() => loaded.delete(key));
    loaded.set(key, texts);
  }
  return texts;
}
