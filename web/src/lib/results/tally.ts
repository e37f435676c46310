/**
 * What is kept of a finished game, and what many of them add up to.
 *
 * Every game counts as played. Wins and losses count only for games with one own seat and without hints: several people
 * in front of one screen have no common result, and a game with hints is practice. Of those the best ones are told for games without house
 * rules: a longer game is no better game.
 */
export interface Finished {
  /** The table. */
  id: string;
  game: string;
  /** When it ended, in milliseconds since the epoch, and how long it took if that is known. */
  time: number;
  lasted?: number | undefined;
  /** The seats of this device. */
  own: number[];
  scores: number[];
  /** Groups of seats, best first. */
  ranking: number[][];
  /** How well each seat's bot played; nothing for a person. */
  levels: string[];
  hints?: number | undefined;
  /** It was a guided first game. */
  guided?: boolean | undefined;
  /** It had house rules. */
  house?: boolean | undefined;
  /** What the game itself finds worth remembering. */
  feats?: { [name: string]: number } | undefined;
}

/** Games against the same kind of others; `places` is the sum of the places one came to. */
export interface Sum {
  played: number;
  won: number;
  places: number;
}

/** The most in one game, which that was, and how much there was in all. */
export interface Best {
  most: number;
  total: number;
  id: string;
  time: number;
}

export interface GameTally {
  played: number;
  /** With hints, and around one screen. */
  practice: number;
  shared: number;
  /** By the level of the bots, or `MIXED`, or `PEOPLE`. */
  against: { [whom: string]: Sum };
  feats: { [name: string]: Best };
}

export interface Tally {
  played: number;
  counted: number;
  won: number;
  /** Wins in a row: up to now, and the most there ever were. */
  streak: number;
  longest: number;
  /** The last day on which a game ended, so many days in a row up to it, and the most there ever were. */
  day: number;
  days: number;
  longestDays: number;
  games: { [game: string]: GameTally };
}

export const PEOPLE = "people";
export const MIXED = "mixed";
/** The score is a feat of every game. */
export const POINTS = "points";

const DAY = 86_400_000;

/** The day of the calendar here, counted. */
export function dayOf(time: number): number {
  const date = new Date(time);
  return Math.round(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / DAY);
}

/** Whether it is told who won. */
export function counts({ own, hints }: Finished): boolean {
  return own.length === 1 && !hints;
}

/** The player's place; equals share a place. None where several seats were played on this device. */
export function placeOf({ own, ranking }: Finished): number | null {
  const [seat, ...others] = own;
  const group = ranking.findIndex((seats) => seat !== undefined && seats.includes(seat));
  return group < 0 || others.length > 0 ? null : 1 + ranking.slice(0, group).flat().length;
}

/** Against whom it was: the level of all bots, or that they were unlike each other, or that there were people. */
export function against({ own, levels }: Finished): string {
  const others = new Set(levels.filter((_, seat) => !own.includes(seat)));
  const [level] = others;
  return level === undefined || others.has("") ? PEOPLE : others.size > 1 ? MIXED : level;
}

/** What is worth remembering of it, the score first; nothing where it cannot be compared. */
export function featsOf(one: Finished): { [name: string]: number } {
  const score = one.scores[one.own[0] ?? -1];
  return counts(one) && !one.house && score !== undefined ? { ...one.feats, [POINTS]: score } : {};
}

export function nothing(): Tally {
  return { played: 0, counted: 0, won: 0, streak: 0, longest: 0, day: 0, days: 0, longestDays: 0, games: {} };
}

/** All these games together, and those before them; they come in the order of time. */
export function addUp(games: readonly Finished[], before: Tally | null = null): Tally {
  const tally = before ? structuredClone(before) : nothing();
  for (const one of games) add(tally, one);
  return tally;
}

function add(tally: Tally, one: Finished): void {
  const game = entry(tally.games, one.game, noGames);
  tally.played++;
  game.played++;
  if (one.hints) game.practice++;
  if (one.own.length > 1) game.shared++;
  addDay(tally, dayOf(one.time));
  const place = counts(one) ? placeOf(one) : null;
  if (place !== null) addPlace(tally, entry(game.against, against(one), noSum), place);
  for (const [name, n] of Object.entries(featsOf(one))) {
    const best = entry(game.feats, name, (): Best => ({ most: -Infinity, total: 0, id: "", time: 0 }));
    best.total += n;
    if (n > best.most) Object.assign(best, { most: n, id: one.id, time: one.time });
  }
}

function addDay(tally: Tally, day: number): void {
  if (day <= tally.day) return; // the same day once more, or one that was brought here from elsewhere
  tally.days = day === tally.day + 1 ? tally.days + 1 : 1;
  tally.day = day;
  tally.longestDays = Math.max(tally.longestDays, tally.days);
}

function addPlace(tally: Tally, sum: Sum, place: number): void {
  const won = place === 1;
  sum.played++;
  sum.places += place;
  sum.won += Number(won);
  tally.counted++;
  tally.won += Number(won);
  tally.streak = won ? tally.streak + 1 : 0;
  tally.longest = Math.max(tally.longest, tally.streak);
}

/** Two tallies of different games as one. */
export function sumOf(one: Tally, other: Tally): Tally {
  const [early, late] = one.day <= other.day ? [one, other] : [other, one];
  const sum = structuredClone(late);
  for (const name of ["played", "counted", "won"] as const) sum[name] += early[name];
  for (const name of ["longest", "longestDays"] as const) sum[name] = Math.max(sum[name], early[name]);
  for (const [name, theirs] of Object.entries(early.games)) {
    const game = entry(sum.games, name, noGames);
    for (const field of ["played", "practice", "shared"] as const) game[field] += theirs[field];
    for (const [whom, { played, won, places }] of Object.entries(theirs.against)) {
      const all = entry(game.against, whom, noSum);
      Object.assign(all, { played: all.played + played, won: all.won + won, places: all.places + places });
    }
    for (const [feat, best] of Object.entries(theirs.feats)) {
      const all = entry(game.feats, feat, () => ({ ...best, total: 0 }));
      Object.assign(all, best.most >= all.most ? best : {}, { total: all.total + best.total });
    }
  }
  return sum;
}

/** How many days in a row there is a game, if the last of them is today or yesterday. */
export function daysInARow({ day, days }: Tally, now = Date.now()): number {
  return dayOf(now) - day > 1 ? 0 : days;
}

export function average({ played, places }: Sum): number {
  return played > 0 ? places / played : 0;
}

const noGames = (): GameTally => ({ played: 0, practice: 0, shared: 0, against: {}, feats: {} });
const noSum = (): Sum => ({ played: 0, won: 0, places: 0 });

/** What is under a name, whatever that name is; made if it is not there. */
function entry<T>(all: { [name: string]: T }, name: string, fresh: () => T): T {
  if (!Object.hasOwn(all, name)) all[name] = fresh();
  return all[name] as T;
}
