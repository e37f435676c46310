/** What a step looks like: cards that fly, a moment to take in, how long it all takes, what it sounds like. */
import type { Sound } from "../contract";
import { FLIGHT_MS, type Flight } from "../shared/flights.svelte";
import type { Json } from "../../lib/wire";

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

export const MOMENT = 1200;
const BETWEEN = 150;
/** The table shown is never further behind than this. */
const LONGEST = 1500;

export function motion(events: readonly Json[]): Motion {
  const moment = momentOf(events);
  const flights: Flight<string>[] = [];
  const turned: Motion["turned"] = [];
  let at = moment ? MOMENT : 0;
  let total = at;
  const seen = (time: number) => (total = Math.max(total, time + FLIGHT_MS));
  const fly = (card: unknown, from: string, to: string) => {
    flights.push({ thing: String(card), from: [from, "open"], to: [to], at });
    seen(at);
    at += BETWEEN;
  };
  for (const event of events) {
    const seat = `seat:${event.seat}`;
    switch (event.key) {
      case "turned":
        turned.push({ kind: String(event.kind), at });
        seen(at);
        at += BETWEEN;
        break;
      case "kept":
        fly(event.kind, `open:${event.kind}`, seat);
        break;
      case "given":
        fly(event.kind, `open:${event.kind}`, `seat:${event.to}`);
        break;
      case "put_back":
        fly(event.kind, `open:${event.kind}`, "pile");
        break;
      case "stolen":
        fly(event.kind ?? "hidden", `seat:${event.victim}`, seat);
        break;
      case "king":
        fly("king", "pile", seat);
        break;
      case "chestnut_man":
        fly("chestnut_man", "pile", seat);
        break;
      case "trade":
        fly("leaf", seat, "pile");
        fly("leaf", seat, "pile");
        fly("leaf", seat, "pile");
        break;
      case "no_friend":
        fly("friend", seat, "pile");
        break;
      case "pot_back":
        fly("glue", seat, "pile");
        break;
    }
  }
  const pace = Math.min(1, (LONGEST - FLIGHT_MS) / Math.max(1, total - FLIGHT_MS));
  return {
    flights: flights.map((flight) => ({ ...flight, at: flight.at * pace })),
    turned: turned.map(({ kind, at }) => ({ kind, at: at * pace })),
    moment,
    total: Math.min(total, LONGEST),
  };
}

function momentOf(events: readonly Json[]): Moment | null {
  const find = (key: string) => events.find((event) => event.key === key);
  const throws = find("throws");
  if (throws) {
    const { seat, rival } = throws;
    const winner = (find("king")?.seat as number | undefined) ?? null;
    const shown = { throw: String(throws.throw), answer: String(throws.answer) };
    return { kind: "duel", seat: Number(seat), rival: Number(rival), ...shown, winner };
  }
  const end = events.findIndex(({ key }) => key === "fastest" || key === "nobody");
  if (end < 0) return null;
  const fastest = events[end]?.key === "fastest" ? events[end] : null;
  return {
    kind: "slap",
    points: events
      .slice(0, end) // one step can hold two slaps: the first is shown
      .filter((event) => event.key === "points")
      .map((event) => ({ seat: Number(event.seat), target: Number(event.target) })),
    fastest: fastest ? Number(fastest.seat) : null,
    target: fastest ? Number(fastest.target) : null,
    card: find("stolen") ? String(find("stolen")?.kind ?? "hidden") : null,
  };
}

export function pause(events: readonly Json[]): number {
  const { total } = motion(events);
  const told = events.some((event) => event.key !== "pointed" && event.key !== "threw");
  return told ? Math.min(1200, Math.max(total, 250)) : 0;
}

/** Spider, butterfly and duel: all choose in secret at the same time, at a live table against the clock. */
export function urgent(legal: readonly string[]): boolean {
  return legal.some((action) => action.startsWith("point ") || action.startsWith("throw "));
}

const SOUNDS: { [key: string]: Sound } = {
  end: "win",
  threshold: "bell",
  fastest: "slap",
  chestnut_man: "coin",
  king: "coin",
  friend: "kiss",
  challenge: "whistle",
  stolen: "thud",
  turned: "card",
  kept: "card",
  given: "card",
};

/** The rarest thing that happened is the one to be heard. */
export function sound(events: readonly Json[]): Sound | null {
  const heard = Object.keys(SOUNDS).find((key) => events.some((event) => event.key === key));
  return heard === undefined ? null : (SOUNDS[heard] ?? null);
}
