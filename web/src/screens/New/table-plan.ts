/** A table that is being planned: who sits where, with which options; and what the server is asked for in the end. */
import type { GameInfo, GameOption, Json, NewTable, SeatWish, Timer } from "../../lib/net/protocol";
import { mySeat } from "../../lib/table/quick-start";

export type Control =
  | { kind: "switch" }
  | { kind: "choice"; values: unknown[] }
  | { kind: "file"; values: unknown[] }
  | { kind: "number"; low: number; high: number | null }
  | { kind: "seat" }
  | { kind: "text" };

/** How an option is set. */
export function controlOf({ type, choices, named, low, high, default: value }: GameOption): Control {
  switch (type) {
    case "data":
      return { kind: "file", values: named.length > 0 ? named : [value] };
    case "text":
      return named.length > 0 ? { kind: "choice", values: named } : { kind: "text" };
    case "choice":
      return { kind: "choice", values: choices };
    case "number":
      return { kind: "number", low: low ?? 0, high };
    case "switch":
    case "seat":
      return { kind: type };
  }
}

/** `here`: a person at this device; `open`: any player who joins. */
export interface SeatPlan {
  kind: "here" | "open" | "bot";
  name: string;
  level: string;
}

export type Company = "bots" | "friends" | "here";

export interface Plan {
  count: number;
  seats: SeatPlan[];
  options: Json;
  timer: { kind: NonNullable<Timer["kind"]>; seconds: number; days: number };
  listed: boolean;
  /** A new player may take a seat that was left. */
  newcomers: boolean;
  /** A player alone with bots may ask for hints. */
  hints: boolean;
  /** The table is on this device, if no player has to join from elsewhere. */
  local: boolean;
}

/** Who sits at a table of one kind. The first seat is always the player's own. */
export function company(kind: Company, most: number, name: string, level: string): SeatPlan[] {
  return Array.from({ length: most }, (_, seat) => ({
    kind: seat === 0 || kind === "here" ? "here" : kind === "friends" ? "open" : "bot",
    name: seat === 0 ? name : "",
    level,
  }));
}

/** The plan before the player has changed anything. */
export function freshPlan(game: GameInfo, name: string): Plan {
  const { seats, level, options } = game.usual;
  return {
    count: seats,
    seats: company("bots", Math.max(...game.seats), name, level),
    options: { ...options },
    timer: { kind: "off", seconds: 60, days: 2 },
    listed: false,
    newcomers: true,
    hints: true,
    local: false,
  };
}

/** The plan saved last, where it still fits the game; what does not is as in a fresh one. */
export function mended(saved: Partial<Plan>, game: GameInfo, name: string): Plan {
  const fresh = freshPlan(game, name);
  const known = new Set(game.options.map((option) => option.name));
  const options = Object.entries(saved.options ?? fresh.options).filter(([option]) => known.has(option));
  return {
    count: saved.count !== undefined && game.seats.includes(saved.count) ? saved.count : fresh.count,
    seats: fresh.seats.map((seat, at) => {
      const old = { ...seat, ...saved.seats?.[at] };
      if (at === 0 && !old.name) old.name = name;
      return game.bots.includes(old.level) ? old : { ...old, level: seat.level };
    }),
    options: Object.fromEntries(options),
    timer: { ...fresh.timer, ...saved.timer },
    listed: saved.listed ?? fresh.listed,
    newcomers: saved.newcomers ?? fresh.newcomers,
    hints: saved.hints ?? fresh.hints,
    local: saved.local ?? fresh.local,
  };
}

export function wishOf(game: string, plan: Plan, options: GameOption[]): NewTable {
  const seats = plan.seats.slice(0, plan.count).map((seat): SeatWish => {
    if (seat.kind === "bot") return { kind: "bot", level: seat.level };
    return seat.kind === "here" ? mySeat(seat.name) : { kind: "open" };
  });
  const chosen = options.filter(({ name }) => Object.hasOwn(plan.options, name));
  const { kind, seconds, days } = plan.timer;
  return {
    game,
    seats,
    options: Object.fromEntries(chosen.map(({ name }) => [name, plan.options[name]])),
    timer: kind === "off" ? { kind } : { kind, amount: kind === "turn" ? seconds : days },
    visibility: plan.listed ? "listed" : "link",
    ...(plan.newcomers ? {} : { newcomers: false }),
    ...(plan.hints ? {} : { hints: false }),
    start: seats.every((seat) => seat.kind !== "open"),
  };
}
