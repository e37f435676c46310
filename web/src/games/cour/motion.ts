/** What a step looks like: cards that fly, a moment to take in, how long it all takes, what it sounds like. */
import type { Sound } from "../contract";
import { FLIGHT_MS, type Flight } from "../shared/flights.svelte";
import type { Event, View } from "./view";

/** Secret choices turned over: everybody looks at them for a moment. */
export type Moment =
  | {
      kind: "slap";
      points: { seat: number; target: number }[];
      fastest: number | null;
      target: number | null;
      card: string | null;
    }
  | { kind: "duel"; seat: number; rival: number; throw: string; answer: string; winner: number | null };

export interface Motion {
  /** Cards, from spot to spot. */
  flights: Flight<string>[];
  /** When each card turned over appears. */
  turned: { kind: string; at: number }[];
  moment: Moment | null;
  total: number;
}

/** How long secret choices turned over are looked at. */
export const MOMENT = 2_500;
/** How long a card turned over is to be read. */
const READ = 1_500;
/** A sentence is read. */
const GLANCE = 900;
const BETWEEN = 150;
/** Cards on their way take no longer than this. */
const LONGEST = 1500;

export function motion(events: readonly Event[]): Motion {
  const moment = momentOf(events);
  const flights: Flight<string>[] = [];
  const turned: Motion["turned"] = [];
  let at = 0;
  let total = at;
  const seen = (time: number) => (total = Math.max(total, time + FLIGHT_MS));
  const fly = (thing: string, from: string, to: string) => {
    flights.push({ thing, from: [from, "open"], to: [to], at });
    seen(at);
    at += BETWEEN;
  };
  const place = ({ seat }: { seat: number }): string => `seat:${seat}`;
  for (const event of events) {
    switch (event.key) {
      case "turned":
        turned.push({ kind: event.kind, at });
        seen(at);
        at += BETWEEN;
        break;
      case "kept":
        fly(event.kind, `open:${event.kind}`, place(event));
        break;
      case "given":
        fly(event.kind, `open:${event.kind}`, `seat:${event.to}`);
        break;
      case "put_back":
        fly(event.kind, `open:${event.kind}`, "pile");
        break;
      case "stolen":
        fly(event.kind, `seat:${event.victim}`, place(event));
        break;
      case "king":
        fly("king", "pile", place(event));
        break;
      case "chestnut_man":
        fly("chestnut_man", "pile", place(event));
        break;
      case "trade":
        for (let leaf = 0; leaf < 3; leaf++) fly("leaf", place(event), "pile");
        break;
      case "no_friend":
        fly("friend", place(event), "pile");
        break;
      case "pot_back":
        fly("glue", place(event), "pile");
        break;
    }
  }
  const pace = Math.min(1, (LONGEST - FLIGHT_MS) / Math.max(1, total - FLIGHT_MS));
  const start = moment ? MOMENT : 0;
  return {
    flights: flights.map((flight) => ({ ...flight, at: start + flight.at * pace })),
    turned: turned.map(({ kind, at }) => ({ kind, at: start + at * pace })),
    moment,
    total: start + Math.min(total, LONGEST),
  };
}

type Of<Key extends Event["key"]> = Extract<Event, { key: Key }>;

/** The first event of this key. */
function find<Key extends Event["key"]>(events: readonly Event[], key: Key): Of<Key> | undefined {
  return events.find((event): event is Of<Key> => event.key === key);
}

function momentOf(events: readonly Event[]): Moment | null {
  const throws = find(events, "throws");
  if (throws) {
    const { seat, rival, throw: thrown, answer } = throws;
    return { kind: "duel", seat, rival, throw: thrown, answer, winner: find(events, "king")?.seat ?? null };
  }
  const end = events.findIndex(({ key }) => key === "fastest" || key === "nobody");
  if (end < 0) return null;
  const fastest = find(events.slice(end, end + 1), "fastest");
  return {
    kind: "slap",
    points: events
      .slice(0, end) // one step can hold two slaps: the first is shown
      .filter((event) => event.key === "points")
      .map(({ seat, target }) => ({ seat, target })),
    fastest: fastest?.seat ?? null,
    target: fastest?.target ?? null,
    card: find(events, "stolen")?.kind ?? null,
  };
}

/** How long a step has to be seen to be understood: until everything lies still, and cards turned over are read. */
export function pause(events: readonly Event[]): number {
  if (events.every(({ key }) => SECRET.has(key))) return 0;
  const { total, turned } = motion(events);
  return Math.min(4_000, turned.length ? total - FLIGHT_MS + READ : Math.max(total, GLANCE));
}

/** Somebody has chosen, and nobody else may know what: nothing to see, nothing to tell. */
const SECRET: ReadonlySet<Event["key"]> = new Set(["pointed", "threw"]);

/** What is worth a sentence, most telling first; what is not named here comes last. */
const TELLING: readonly Event["key"][] = [
  "end",
  "threshold",
  "stolen",
  "empty_hand",
  "nobody",
  "fastest",
  "king",
  "throws",
  "chestnut_man",
  "trade",
  "challenge",
  "friend",
  "given",
  "kept",
  "pot",
  "glue_used",
  "turned",
];
/** What follows from the rest, or is told by another event of the step. */
const UNTOLD: ReadonlySet<Event["key"]> = new Set([...SECRET, "points", "turn", "no_trade", "shown", "steal"]);

export function told(events: readonly Event[]): Event[] {
  const rank = ({ key }: Event) => (TELLING.includes(key) ? TELLING.indexOf(key) : TELLING.length);
  return joined(events.filter(({ key }) => !UNTOLD.has(key))).toSorted((one, other) => rank(one) - rank(other));
}

/** The lines of the log: who points at whom is one, so are the cards that one seat turns over in a row. */
export function lines(events: readonly Event[]): Event[][] {
  const found: Event[][] = [];
  const seen = (event: Event) => !SECRET.has(event.key) && !(event.key === "character" && event.character === "hidden");
  for (const event of joined(events.filter(seen))) {
    const last = found.at(-1);
    if (event.key === "points" && last?.[0]?.key === "points") last.push(event);
    else found.push([event]);
  }
  return found;
}

/** Cards that one seat turns over in a row, in one event that names them all. */
function joined(events: readonly Event[]): Event[] {
  const found: Event[] = [];
  for (const event of events) {
    const last = found.at(-1);
    if (event.key === "turned" && last?.key === "turned" && last.seat === event.seat) {
      found[found.length - 1] = { ...last, card: [last.card, event.card].flat() as unknown as typeof event.card };
    } else found.push(event);
  }
  return found;
}

/** Spider and butterfly against the clock (C22): people at one device see the card together and slap side by side. */
export function together({ phase, options }: View): boolean {
  return phase === "point" && options.reaction === "live";
}

/** Spider, butterfly and duel: all choose in secret at the same time, at a live table against the clock. */
export function urgent(legal: readonly string[]): boolean {
  return legal.some((action) => action.startsWith("point ") || action.startsWith("throw "));
}

const SOUNDS: readonly (readonly [Event["key"], Sound])[] = [
  ["end", "win"],
  ["threshold", "bell"],
  ["fastest", "slap"],
  ["chestnut_man", "coin"],
  ["king", "coin"],
  ["friend", "kiss"],
  ["challenge", "whistle"],
  ["stolen", "thud"],
  ["turned", "card"],
  ["kept", "card"],
  ["given", "card"],
];

/** The rarest thing that happened is the one to be heard. */
export function sound(events: readonly Event[]): Sound | null {
  return SOUNDS.find(([key]) => events.some((event) => event.key === key))?.[1] ?? null;
}
