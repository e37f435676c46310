/** The search in the rule book: rules, things and house rules, by the sheets' words and by plain ones. */
import { groupBy } from "../../lib/ui/group-by";
import type { Texts } from "../../lib/text/messages";
import type { GameOption, Thing } from "../../lib/net/protocol";
import { inOrder, plain } from "./rule-book";

/** Something that can be found. */
export interface Entry {
  kind: "rule" | "thing" | "option";
  id: string;
  /** What it is called; a rule has no name but its id. */
  title: string;
  text: string;
  /** Other words that people look for it by. */
  words: string;
  /** The same in the other language. */
  elsewhere: { title: string; text: string; words: string };
}

export interface Hit {
  entry: Entry;
  /** The words that led here and stand nowhere in what is shown. */
  by: string[];
  score: number;
}

const KINDS = ["rule", "thing", "option"] as const;
type Language = "en" | "fr";

/** What there is to be found, in the language of the first texts; the others help where they are loaded. */
export function entriesOf(
  texts: Texts,
  others: Texts | null,
  things: readonly Thing[],
  options: readonly GameOption[],
): Entry[] {
  const both = (say: (texts: Texts) => { title: string; text: string }, id: string) => {
    const words = (one: Texts) => (one.has(`words.${id}`) ? one.say(`words.${id}`) : "");
    return {
      ...say(texts),
      words: words(texts),
      elsewhere: others ? { ...say(others), words: words(others) } : { title: "", text: "", words: "" },
    };
  };
  return [
    ...inOrder(texts).map(([id]): Entry => ({
      kind: "rule",
      id,
      ...both((one) => ({ title: "", text: one.say(`rule.${id}`) }), id),
    })),
    ...things.map(({ name, title, about, params }): Entry => ({
      kind: "thing",
      id: name,
      ...both((one) => ({ title: one.say(title, params), text: one.say(about, params) }), name),
    })),
    ...options.map(({ name, title, about }): Entry => ({
      kind: "option",
      id: name,
      ...both((one) => ({ title: title?.[one.language] ?? name, text: about[one.language] }), `option.${name}`),
    })),
  ];
}

/** Little words that say nothing of what is looked for. */
const LITTLE: Record<Language, string> = {
  en: "a an and are as at be by can do does for from get has have how i if in is it its many me much my of on or that the there they this to what when where which who whom why will with you your",
  fr: "a ai as au aux avec c ca ce ces combien comment d dans de des du elle en est et fait il ils j je l la le les leur m ma me mes moi mon n ne nous on ou par pas peut peux plus pour puis qu quand que quel quelle qui quoi s sa se ses si son sont sur t ta te tes toi ton tu un une va vous y",
};
const IGNORED = new Set(Object.values(LITTLE).flatMap((words) => words.split(" ")));

const wordsIn = (text: string): string[] => plain(text).match(/[a-z0-9]+/g) ?? [];

/** The words that are looked for: those that say something, or all if none does. */
function wantedWords(wanted: string): string[] {
  const all = [...new Set(wordsIn(wanted))];
  const telling = all.filter((word) => !IGNORED.has(word));
  return telling.length > 0 ? telling : all;
}

const ENDINGS = /(?:ements?|ations?|euses?|eurs?|rices?|antes?|ants?|ings?|iers?|ers?|ees?|ed|es|ez|er|s|x|e)$/;

const stems = new Map<string, string>();

/** What words of one family have in common: win, wins, winner, winning; gagner, gagnant. */
export function stem(word: string): string {
  let found = stems.get(word);
  if (found === undefined) stems.set(word, (found = shortened(word)));
  return found;
}

function shortened(word: string): string {
  const short = word.length > 4 ? word.replace(ENDINGS, "") : word.replace(/[sx]$/, "");
  const kept = short.length >= 3 ? short : word;
  return kept.replace(/([a-z])\1$/, "$1");
}

/** Whether one letter is wrong, missing, too many, or two have changed places. */
export function nearly(one: string, other: string): boolean {
  if (one === other || Math.abs(one.length - other.length) > 1) return false;
  let start = 0;
  while (start < one.length && one[start] === other[start]) start++;
  let [end, last] = [one.length, other.length];
  while (end > start && last > start && one[end - 1] === other[last - 1]) [end, last] = [end - 1, last - 1];
  const [left, right] = [one.slice(start, end), other.slice(start, last)];
  if (left.length <= 1 && right.length <= 1) return true;
  return left.length === 2 && right.length === 2 && left === right.charAt(1) + right.charAt(0);
}

/** So many letters allow for one that is wrong. */
const LONG = 5;

/** How well a word answers to one that is looked for: from 0, not at all, to 1, it is that word. */
export function likeness(wanted: string, word: string): number {
  if (wanted === word) return 1;
  if (stem(wanted) === stem(word)) return 0.9;
  if (wanted.length >= 3 && word.startsWith(wanted)) return 0.7;
  return wanted.length >= LONG && word.length >= LONG && nearly(wanted, word) ? 0.6 : 0;
}

/** What a word counts for that stands there. */
const WEIGHTS = { title: 4, words: 4, text: 2 };
/** In the other language it counts less. */
const ELSEWHERE = 0.6;
/** What is so much worse than the best hit is none. */
const LEAST = 0.25;

const TEXTS = ["title", "words", "text"] as const;

interface Read {
  weight: number;
  words: string[];
  shown: boolean;
}

const read = new WeakMap<Entry, Read[]>();

/** All words of an entry, by where they stand; read once. */
function readingOf(entry: Entry): Read[] {
  let found = read.get(entry);
  if (!found) {
    found = TEXTS.flatMap((place) => {
      const own = wordsIn(entry[place]);
      // What a short text says, it says more plainly.
      const weight = place === "text" ? WEIGHTS.text / Math.sqrt(1 + own.length / 40) : WEIGHTS[place];
      return [
        { weight, words: own, shown: place !== "words" },
        { weight: weight * ELSEWHERE, words: wordsIn(entry.elsewhere[place]), shown: false },
      ];
    });
    read.set(entry, found);
  }
  return found;
}

interface Match {
  worth: number;
  /** The word that answered. */
  word: string;
  shown: boolean;
}

function bestIn(entry: Entry, wanted: string): Match {
  let best: Match = { worth: 0, word: "", shown: false };
  for (const { weight, words, shown } of readingOf(entry)) {
    for (const word of words) {
      const worth = weight * likeness(wanted, word);
      if (worth > best.worth) best = { worth, word, shown };
    }
  }
  return best;
}

/** Whether any word of it that is shown answers. */
const isShown = (entry: Entry, wanted: string): boolean =>
  readingOf(entry).some(({ words, shown }) => shown && words.some((word) => likeness(wanted, word) > 0));

/** What answers, best first: the more of the words, and the rarer they are, the better. An id finds that very rule. */
export function search(entries: readonly Entry[], wanted: string): Hit[] {
  const words = wantedWords(wanted);
  if (words.length === 0) return [];
  const exact = entries.filter(({ kind, id }) => kind === "rule" && words.length === 1 && plain(id) === words[0]);
  if (exact.length > 0) return exact.map((entry) => ({ entry, by: [], score: 1 }));
  const matches = entries.map((entry) => ({ entry, found: words.map((word) => bestIn(entry, word)) }));
  const rarity = words.map((_, at) => {
    const often = matches.filter(({ found }) => (found[at]?.worth ?? 0) > 0).length;
    return Math.log(1 + entries.length / (often || 1));
  });
  const hits = matches
    .map(({ entry, found }): Hit => {
      const answered = found.filter(({ worth }) => worth > 0).length;
      const sum = found.reduce((sum, { worth }, at) => sum + worth * (rarity[at] ?? 0), 0);
      const by = found.filter(({ worth, shown }, at) => worth > 0 && !shown && !isShown(entry, words[at] ?? ""));
      return { entry, score: (sum * answered) / words.length, by: [...new Set(by.map(({ word }) => word))] };
    })
    .filter(({ score }) => score > 0)
    .toSorted(
      (one, other) => other.score - one.score || KINDS.indexOf(one.entry.kind) - KINDS.indexOf(other.entry.kind),
    );
  return hits.filter(({ score }) => score >= LEAST * (hits[0]?.score ?? 0));
}

/** Hits by kind, the kind of the best one first. */
export const inGroups = (hits: readonly Hit[]): [Entry["kind"], Hit[]][] => groupBy(hits, ({ entry }) => entry.kind);

/** A text in pieces: those that answer to what is looked for are marked. */
export function marked(text: string, wanted: string): { text: string; hit: boolean }[] {
  const words = wantedWords(wanted);
  return text
    .split(/([\p{L}\p{N}]+)/u)
    .filter(Boolean)
    .map((piece) => {
      const [said] = wordsIn(piece);
      return { text: piece, hit: said !== undefined && words.some((word) => likeness(word, said) > 0) };
    });
}
