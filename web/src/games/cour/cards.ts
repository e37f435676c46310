/** Stars and half-stars on the cards, from the card set of the table. */
import type { Options } from "./shapes";
import { typeOf } from "./view";

/** Full stars, and the places of half-stars along both edges: H top, M middle, B bottom. */
export interface Look {
  full: number;
  left: string;
  right: string;
}

interface Toy extends Partial<Look> {
  cards?: Look[];
}

export interface CardSet {
  name: string;
  toys: { [type: string]: Toy };
  characters: { [name: string]: Look & { bonus: { [card: string]: number } } };
  stars: { king: number; chestnut_man: number };
}

const SHIPPED = import.meta.glob<CardSet>("../../../../src/preau/games/cour/data/*.json", {
  eager: true,
  import: "default",
});

/** The card set of an option value: the name of one that ships, or its contents. */
export function cardSet(cards: string | Options["cards"]): CardSet {
  const found = typeof cards === "string" ? Object.values(SHIPPED).find((one) => one.name === cards) : cards;
  if (!isCardSet(found)) throw new Error(`no card set ${JSON.stringify(cards)}`);
  return found;
}

/** A card file of somebody's own: the game has read it before us. */
const isCardSet = (file: object | undefined): file is CardSet =>
  file !== undefined && "toys" in file && "characters" in file && "stars" in file;

const BARE: Look = { full: 0, left: "", right: "" };

/** The stars of a kind of card or of a character. */
export function look(set: CardSet, kind: string): Look {
  const person = set.characters[kind];
  if (person) return person;
  const toy = set.toys[typeOf(kind)];
  if (!toy) return BARE;
  return toy.cards ? (toy.cards[Number(kind.split(".")[1]) - 1] ?? BARE) : { ...BARE, ...toy };
}

/** The places where two neighbours make a whole star (C16). */
function join(left: Look, right: Look): string {
  return [...left.right].filter((place) => right.left.includes(place)).join("");
}

/** A row of cards, each with what of it is lit once `counted` of card, join, card, join, ... are counted. */
export function lit(set: CardSet, row: readonly string[], counted = Infinity) {
  return row.map((kind, at) => {
    const here = look(set, kind);
    const before = row[at - 1];
    const after = row[at + 1];
    const left = before !== undefined && counted > 2 * at - 1 ? join(look(set, before), here) : "";
    const right = after !== undefined && counted > 2 * at + 1 ? join(here, look(set, after)) : "";
    return { kind, look: here, lit: { full: counted > 2 * at, left, right } };
  });
}

/** The stars of a row as far as it is counted (C16). */
export function stars(set: CardSet, row: readonly string[], counted = Infinity): number {
  return lit(set, row, counted).reduce(
    (sum, card) => sum + (card.lit.full ? card.look.full : 0) + card.lit.left.length,
    0,
  );
}
