/** The rule book: order, chapters and search. */
import type { Texts } from "../../lib/text/messages";
import type { Chapter, Words } from "../../lib/net/protocol";

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

/** Bring a place of the book into sight, and let reading and tabbing go on from there. */
export function arriveAt(id: string): void {
  const place = document.getElementById(id);
  if (!place) return;
  place.scrollIntoView({ block: place.matches("h2") ? "start" : "center" });
  place.tabIndex = -1;
  place.focus({ preventScroll: true });
}
