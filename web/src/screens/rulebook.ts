/** The rule book: order, chapters and search. */
import type { Texts } from "../lib/messages";
import type { Chapter, Words } from "../lib/wire";

type Rule = [id: string, text: string];

const numberOf = (id: string) => Number(/\d+/.exec(id)?.[0] ?? 0);

interface RuleChapter {
  name: string;
  /** Null: it is all there is. */
  title: Words | null;
  rules: Rule[];
}

/** Rules under the chapters they belong to; chapters without any are left out. */
export function inChapters(chapters: readonly Chapter[], rules: Rule[]): RuleChapter[] {
  if (chapters.length === 0) return rules.length > 0 ? [{ name: "rules", title: null, rules }] : [];
  return chapters
    .map((chapter, at) => {
      const [first, next] = [at > 0 ? numberOf(chapter.first) : 0, chapters[at + 1]?.first];
      const last = next === undefined ? Infinity : numberOf(next);
      return { ...chapter, rules: rules.filter(([id]) => numberOf(id) >= first && numberOf(id) < last) };
    })
    .filter((chapter) => chapter.rules.length > 0);
}

/** The rules among a game's messages, by the number in their id. */
export function inOrder(texts: Texts): Rule[] {
  return Object.keys(texts.messages)
    .flatMap((key): Rule[] => {
      const id = /^rule\.(.+)$/.exec(key)?.[1];
      return id ? [[id, texts.say(key)]] : [];
    })
    .sort(([one], [other]) => numberOf(one) - numberOf(other) || one.localeCompare(other));
}

/** The rules that a game marks: the sheets leave something open in them, or are lost, and a ruling of ours fills the gap. */
export function rulingsIn(texts: Texts): ReadonlySet<string> {
  return new Set(texts.has("rulings") ? texts.say("rulings").split(" ") : []);
}

/** Without accents, capitals or ligatures, as people type when they search. */
export function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/œ/g, "oe")
    .replace(/æ/g, "ae")
    .replace(/’/g, "'")
    .normalize("NFD")
    .replace(/\p{Diacritic}/gu, "");
}

/** Other words for what a rule is about, by its id: what people look for and the rule says differently. */
export function otherWords(texts: Texts): ReadonlyMap<string, string> {
  const found = Object.keys(texts.messages).filter((key) => key.startsWith("words."));
  return new Map(found.map((key) => [key.slice("words.".length), texts.say(key)]));
}

/** A word as it is looked for: one or many of a thing are the same. */
const singular = (word: string) => (word.length > 3 ? word.replace(/(?<=[^s])(es|s|x)$/, "") : word);

/** The rules that hold every word, or have it among their other words; an id finds that very rule. */
export function found(rules: Rule[], wanted: string, others: ReadonlyMap<string, string> = new Map()): Rule[] {
  const words = plain(wanted).split(/\s+/).filter(Boolean);
  if (words.length === 0) return rules;
  const exact = rules.filter(([id]) => words.length === 1 && plain(id) === words[0]);
  if (exact.length > 0) return exact;
  return rules.filter(([id, text]) => {
    const said = plain(`${text} ${others.get(id) ?? ""}`);
    return words.every((word) => said.includes(singular(word)));
  });
}
