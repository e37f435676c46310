/** The list of finished games: so many are kept one by one, the oldest are added up. */
import { flag, listOf, mapOf, maybe, number, shape, text, whole, Invalid, type Check } from "./validation";
import { addUp, sumOf, type Best, type Finished, type GameTally, type Sum, type Tally } from "./tally";

/** So many games are kept one by one. */
export const KEPT = 2_000;
/** So many of those that were added up are known again when they come once more. */
const KNOWN = 20_000;

/** What the oldest games add up to, and which those were: the beginnings of their ids. */
export interface Past extends Tally {
  ids: string[];
}

export interface Book {
  /** In the order of time. */
  games: Finished[];
  past: Past | null;
}

export const EMPTY: Book = { games: [], past: null };

const short = (id: string) => id.slice(0, 8);

export function has({ games, past }: Book, id: string): boolean {
  return games.some((one) => one.id === id) || (past?.ids.includes(short(id)) ?? false);
}

/** How many games there are in all. */
export function size({ games, past }: Book): number {
  return games.length + (past?.played ?? 0);
}

/** With one game more; the same book if it is in it already. */
export function noted(book: Book, one: Finished): Book {
  return has(book, one.id) ? book : folded({ ...book, games: inTime([...book.games, one]) });
}

/** Both books as one: a game that is in both is there once. */
export function merged(one: Book, other: Book): Book {
  const past = combined(one.past, other.past);
  const known = new Set(past?.ids);
  const games = [...other.games, ...one.games].filter(({ id }) => !known.has(short(id)));
  return folded({ games: inTime(games), past });
}

/** Each game once, in the order of time. */
function inTime(games: Finished[]): Finished[] {
  const all = new Map(games.map((one) => [one.id, one]));
  return [...all.values()].toSorted((one, other) => one.time - other.time);
}

function folded({ games, past }: Book, kept = KEPT): Book {
  const old = games.slice(0, Math.max(0, games.length - kept));
  if (old.length === 0) return { games, past };
  const ids = [...(past?.ids ?? []), ...old.map(({ id }) => short(id))].slice(-KNOWN);
  return { games: games.slice(old.length), past: { ...addUp(old, past), ids } };
}

/** What was added up on two devices: the sum, or, where the same games are in both, whichever has more of them. */
function combined(one: Past | null, other: Past | null): Past | null {
  if (!one || !other) return one ?? other;
  const known = new Set(one.ids);
  if (other.ids.some((id) => known.has(id))) return other.ids.length > one.ids.length ? other : one;
  return { ...sumOf(one, other), ids: [...one.ids, ...other.ids].slice(-KNOWN) };
}

// Data from elsewhere ---------------------------------------------------------------------------------------------

const NAME = text(/^[\w-]+$/);
const ID = text(/^[a-z0-9]+$/, 32);
const SEATS = 16;
const MANY = 1e9;
const TIME = whole(0, 8.64e15);
const COUNT = whole(0, MANY);
const AMOUNT = number(-MANY, MANY);
const SEAT = whole(0, SEATS - 1);

const fields: Check<Finished> = shape<Finished>({
  id: ID,
  game: NAME,
  time: TIME,
  lasted: maybe(TIME),
  own: listOf(SEAT, SEATS),
  scores: listOf(AMOUNT, SEATS),
  ranking: listOf(listOf(SEAT, SEATS), SEATS),
  levels: listOf(text(/^[\w-]*$/), SEATS),
  hints: maybe(COUNT),
  guided: maybe(flag),
  house: maybe(flag),
  feats: maybe(mapOf(AMOUNT, 8)),
});

export const finished: Check<Finished> = (value, where) => {
  const one = fields(value, where);
  const seats = one.scores.length;
  const placed = one.ranking.flat().toSorted((first, second) => first - second);
  if (placed.length !== seats || placed.some((seat, at) => seat !== at))
    throw new Invalid(`${where}.ranking`, "ranking");
  if (one.levels.length !== seats) throw new Invalid(`${where}.levels`, "levels");
  if (one.own.length === 0 || one.own.some((seat) => seat >= seats)) throw new Invalid(`${where}.own`, "own");
  return one;
};

const past: Check<Past> = shape<Past>({
  ids: listOf(ID, KNOWN),
  played: COUNT,
  counted: COUNT,
  won: COUNT,
  streak: COUNT,
  longest: COUNT,
  day: COUNT,
  days: COUNT,
  longestDays: COUNT,
  games: mapOf(
    shape<GameTally>({
      played: COUNT,
      practice: COUNT,
      shared: COUNT,
      against: mapOf(shape<Sum>({ played: COUNT, won: COUNT, places: COUNT }), 40),
      feats: mapOf(shape<Best>({ most: AMOUNT, total: AMOUNT, id: ID, time: TIME }), 40),
    }),
    200,
  ),
});

/** A book from a file; refused if anything in it is wrong. */
export const book: Check<Book> = (value, where) => {
  const found = shape<{ games: Finished[]; past: Past | null }>({
    games: listOf(finished, 2 * KEPT),
    past: (one, at) => (one === null ? null : past(one, at)),
  })(value, where);
  return folded({ ...found, games: inTime(found.games) });
};

/** A book as this device kept it; what is damaged is left out. */
export function salvaged(value: unknown): Book {
  const { games, past: before } = Object(value) as { games?: unknown; past?: unknown };
  const all = Array.isArray(games) ? games : [];
  return {
    games: inTime(all.flatMap((one) => orNull(() => [finished(one, "")]) ?? [])),
    past: orNull(() => past(before, "")),
  };
}

function orNull<T>(what: () => T): T | null {
  try {
    return what();
  } catch (error) {
    if (error instanceof Invalid) return null;
    throw error;
  }
}
