/** Stars and half-stars on the cards, from the card set of the table. */
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
export function cardSet(cards: unknown): CardSet {
  if (typeof cards === "object" && cards !== null) return cards as CardSet;
  const found = Object.values(SHIPPED).find((one) => one.name === cards);
  if (!found) throw new Error(`no card set ${String(cards)}`);
  return found;
}

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
export function join(left: Look, right: Look): string {
  return [...left.right].filter((place) => right.left.includes(place)).join("");
}
