/** The rule book: order, chapters and search. */
import type { Texts } from "../lib/messages";

type Rule = [id: string, text: string];

/** The chapters of each game's rules, and the number of the rule each begins with. */
const CHAPTERS: { readonly [game: string]: readonly (readonly [name: string, first: number])[] } = {
  recess: [
    ["setup", 1],
    ["turn", 7],
    ["landing", 16],
    ["fights", 22],
    ["shoving", 26],
    ["tattling", 29],
    ["nuns", 30],
    ["end", 33],
    ["time", 38],
  ],
  bagarre: [
    ["contents", 1],
    ["turn", 6],
    ["fights", 15],
    ["specials", 23],
  ],
  cour: [
    ["contents", 1],
    ["turn", 3],
    ["events", 8],
    ["effects", 10],
    ["end", 15],
    ["speed", 21],
  ],
};

const numberOf = (id: string) => Number(/\d+/.exec(id)?.[0] ?? 0);

/** Rules under the chapters they belong to; chapters without any are left out. */
export function chapters(game: string, rules: Rule[]): { name: string; rules: Rule[] }[] {
  const known = CHAPTERS[game] ?? [["contents", 1]];
  return known
    .map(([name, first], at) => {
      const next = known[at + 1]?.[1] ?? Infinity;
      return { name, rules: rules.filter(([id]) => numberOf(id) >= first && numberOf(id) < next) };
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
    .replace(/’/g, "'")
    .normalize("NFD")
    .replace(/\p{Diacritic}/gu, "");
}

/** The rules that hold every word; an id finds that very rule. */
export function found(rules: Rule[], wanted: string): Rule[] {
  const words = plain(wanted).split(/\s+/).filter(Boolean);
  if (words.length === 0) return rules;
  const exact = rules.filter(([id]) => words.length === 1 && plain(id) === words[0]);
  return exact.length > 0 ? exact : rules.filter(([, text]) => words.every((word) => plain(text).includes(word)));
}
