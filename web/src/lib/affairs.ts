/** Seats without their people in a game under way: whom the others wait for, and which were left for good. */
import type { Presence, TableInfo } from "./wire";

/** Somebody owes a decision and is not here. */
export interface Away {
  kind: "away";
  seat: number;
  /** From when on a bot may be let in, on the server's clock. */
  ends: number;
  /** Whether this person may do it: the host, or anybody at the table while the host is not here. */
  may: boolean;
  urgent: boolean;
}

/** Somebody has left; all people have to agree before somebody else sees that hand. */
export interface Left {
  kind: "left";
  seat: number;
  agreed: number[];
  missing: number[];
  /** What this person can say: that they agree, or that they do no longer. */
  say: "yes" | "no" | null;
  urgent: boolean;
}

export type Affair = Away | Left;

export function affairs(info: TableInfo, presence: Presence, mine: number[], host: boolean): Affair[] {
  if (info.status !== "playing") return [];
  const hostIsHere = info.seats.some((seat) => seat.host && presence.here.includes(seat.seat));
  const may = mine.length > 0 && (host || !hostIsHere);
  const away = (presence.away ?? []).map(({ seat, ends }): Away => ({ kind: "away", seat, ends, may, urgent: may }));
  const people = info.seats.filter(({ kind }) => kind === "person").map(({ seat }) => seat);
  const left = info.seats
    .filter(({ kind }) => kind === "open")
    .map(({ seat, agreed = [] }): Left => {
      const missing = people.filter((one) => !agreed.includes(one));
      const wanted = mine.some((one) => missing.includes(one));
      const say = mine.length === 0 ? null : wanted ? "yes" : "no";
      const urgent = mine.length > 0 ? wanted && agreed.length > 0 : missing.length === 0;
      return { kind: "left", seat, agreed, missing, say, urgent };
    });
  return [...away, ...left];
}
