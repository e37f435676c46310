/** The page's own words in the reader's language, and the messages of the games. */
import { untrack } from "svelte";
import { api, Refused } from "../net/api";
import { Texts, type Params } from "./messages";
import { settings, type Language } from "../device/settings.svelte";

type Messages = { readonly [key: string]: string };

/** `first` for what the home page and the frame say, one for each screen, `shared` for what several of those say. */
const FILES = import.meta.glob<Messages>("../../texts/*/*.json", { import: "default" });

/** The files that the page speaks from, and what has come of them so far. */
const wanted = new Set<string>();
let come = $state.raw<{ readonly [path: string]: Messages }>({});

const OWN = $derived({ en: gathered("en"), fr: gathered("fr") });
/** Another language is spoken only when all its words are here. */
let spoken = settings.language;

const path = (file: string, language: Language) => `../../texts/${language}/${file}.json`;

function gathered(language: Language): Texts {
  const here = Object.entries(come).filter(([at]) => at.startsWith(`../../texts/${language}/`));
  return new Texts(language, Object.assign({}, ...here.map(([, messages]) => messages)) as Messages);
}

function own(): Texts {
  const wish = settings.language;
  if (wish !== spoken && [...wanted].every((file) => path(file, wish) in come)) spoken = wish;
  return OWN[spoken];
}

/** Have the words of these files, and of all that are in use. A screen that has no file says nothing of its own. */
export async function loadWords(files: readonly string[], language = untrack(() => settings.language)): Promise<void> {
  for (const file of files) if (FILES[path(file, language)]) wanted.add(file);
  const missing = untrack(() => [...wanted].map((file) => path(file, language)).filter((at) => !(at in come)));
  await Promise.all(
    missing.map(async (at) => {
      const messages = await FILES[at]?.().catch(unreachable);
      come = { ...come, [at]: messages ?? {} };
    }),
  );
}

function unreachable(): never {
  throw new Refused(0, { error: "Unreachable", message: "The words could not be loaded.", key: "unreachable" });
}

/** Speak another language, as soon as its words are here. */
export async function setLanguage(language: Language): Promise<void> {
  await loadWords([], language);
  settings.language = language;
}

/** A text of the page itself; `names` are those of seats in it. Follows the language at once wherever a component uses it. */
export function say(key: string, params: Params = {}, names: readonly string[] = []): string {
  return own().named(names).say(key, params);
}

/** "Ann, Bo and Cy". */
export function list(words: readonly string[]): string {
  return own().list(words);
}

export function hasText(key: string): boolean {
  return own().has(key);
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
