/** What is printed on the cards: from the shipped card files, or from the one the table was made with. */
import { toys as leaflet } from "../../../../src/preau/games/bagarre/data/leaflet.json";
import { toys as reconstructed } from "../../../../src/preau/games/bagarre/data/reconstructed.json";
import { Texts } from "../../lib/text/messages";
import type { Options, View } from "./shapes";

export interface Toy {
  en: string;
  fr: string;
  value: number;
  /** What Marie-Edwige gives for it; not in every set. */
  second?: number;
  /** A fight for it is a general one. */
  general: boolean;
}

const SHIPPED: Record<"leaflet" | "reconstructed", { cards: Toy[] }> = { leaflet, reconstructed };

/** Whether a set of this name ships. */
export const isSet = (name: string): name is keyof typeof SHIPPED => Object.hasOwn(SHIPPED, name);

const ART: Record<string, string> = import.meta.glob("./art/*.svg", { query: "?raw", import: "default", eager: true });

export type Kind = "friend" | "toy" | "special";

/** What else is drawn on cards: on their backs (50 by 70), what Marie-Edwige gives (20 by 18), a general fight (24 by 24). */
export const FRAME = "M5 5.5 45 4.5l.5 60.5-40.5.5Z";
export const HOPSCOTCH =
  "M19 62V51h12v11ZM19 51V40h12v11ZM13 40V29h12v11Zm12 0V29h12v11ZM19 29V19h12v10ZM17 19q0-9 8-9t8 9Z";
export const HEART = "M10 17C2 12 .5 8 1 5.5 2 1 7.5.5 10 4.5c2.5-4 8-3.5 9 1 .5 2.5-1 6.5-9 11.5Z";
export const BRAWL = "m12 .5 3 4.5 5-1.5-.5 5.5 4 3-4 3 .5 5.5-5-1.5-3 4.5-3-4.5-5 1.5.5-5.5-4-3 4-3L4 3.5 9 5Z";
export const FIST = "M7.5 15.5v-5q0-2 2-2h5q2.5 0 2.5 2.5v2q0 3-3 3H9M10.5 8.5v3m3-3v3";

/** What is printed on a card depends on the set alone. */
export interface Printed {
  readonly options: Pick<Options, "cards">;
}

export function kindOf(card: string): Kind {
  if (/^F\d$/.test(card)) return "friend";
  return /^T\d\d$/.test(card) ? "toy" : "special";
}

function toysOf(cards: Options["cards"]): Toy[] {
  if (typeof cards === "string") return SHIPPED[cards].cards;
  return hasCards(cards.toys) ? cards.toys.cards.filter(isToy) : [];
}

// A card file of somebody's own can hold anything beside what the game reads.

const hasCards = (toys: unknown): toys is { cards: unknown[] } =>
  typeof toys === "object" && toys !== null && "cards" in toys && Array.isArray(toys.cards);

const isToy = (card: unknown): card is Toy =>
  typeof card === "object" && card !== null && "en" in card && "fr" in card && "value" in card && "general" in card;

/** The facts of a toy, or null for any other card. */
export function toyOf(view: Printed, card: string): Toy | null {
  return kindOf(card) === "toy" ? (toysOf(view.options.cards)[Number(card.slice(1)) - 1] ?? null) : null;
}

export function worth(view: View, seat: number): number {
  const front = view.players[seat]?.front ?? [];
  return front.reduce((sum, toy) => sum + (toyOf(view, toy)?.value ?? 0), 0);
}

/** Our pictures go with our toys; a toy of somebody else's set gets the toy box unless it is called the same. */
export function pictureOf(view: Printed, card: string): string {
  return ART[`./art/${pictureName(view, card)}.svg`] ?? ART["./art/toy.svg"] ?? "";
}

export function pictureName(view: Printed, card: string): string {
  const toy = toyOf(view, card);
  if (toy === null || typeof view.options.cards === "string") return card;
  const like = reconstructed.cards.findIndex((ours) => ours.en.toLowerCase() === toy.en.toLowerCase());
  return like < 0 ? "toy" : `T${String(like + 1).padStart(2, "0")}`;
}

/** The texts, with the names of the toys of this table; what another set calls its toys has no article of ours. */
export function withNames(texts: Texts, view: View): Texts {
  if (typeof view.options.cards === "string") return texts;
  const names = toysOf(view.options.cards).flatMap((toy, index) => {
    const number = String(index + 1).padStart(2, "0");
    const name = toy[texts.language];
    return [
      [`card.T${number}`, name],
      [`the.T${number}`, texts.say("page.named", { name })],
    ];
  });
  return new Texts(texts.language, { ...texts.messages, ...Object.fromEntries(names) }, texts.names, texts.reader);
}

/** All there is to know about a card, in a sentence or two. */
export function about(texts: Texts, view: View, card: string): string {
  const name = texts.say(`card.${card}`);
  const toy = toyOf(view, card);
  if (toy) {
    const facts = [texts.say("page.worth", { value: toy.value })];
    if (toy.second) facts.push(texts.say("page.second", { value: toy.second }));
    if (toy.general) facts.push(texts.say("page.general"));
    return `${name} · ${facts.join(" · ")}`;
  }
  const does = kindOf(card) === "special" ? texts.say(`effect.${card}`) : texts.say("page.friend");
  return `${name} · ${does}`;
}
