/** Seats without their players in a running game: those that the others wait for, and those that were left for good. */
import type { Presence, TableInfo } from "../net/protocol";

/** The level of the bot that stands in for a player: the middle one, as on the server. */
export const STAND_IN = "normal";

/** A player owes a decision and is not connected. */
export interface Away {
  kind: "away";
  seat: number;
  /** From when on a bot may be let in, on the server's clock. */
  ends: number;
  /** Whether this player may do it: the host may, and every player while the host is not connected. */
  may: boolean;
  urgent: boolean;
}

/** A player has left. All players have to agree before a new one sees that hand. */
export interface Left {
  kind: "left";
  seat: number;
  /** The level of the bot that plays on. */
  level: string;
  agreed: number[];
  missing: number[];
  /** Whether a new player may come at all. */
  open: boolean;
  /** It was left at this device, and can be taken back. */
  back: boolean;
  /** What this player can say: that they agree, or that they no longer do. */
  say: "yes" | "no" | null;
  urgent: boolean;
}

export type Absence = Away | Left;

/** All absences, for a player who has the seats `own` and had the seats `left`. */
export function absences(
  info: TableInfo,
  presence: Presence,
  own: number[],
  host: boolean,
  left: number[] = [],
): Absence[] {
  if (info.status !== "playing") return [];
  const hostIsHere = info.seats.some((seat) => seat.host && presence.here.includes(seat.seat));
  const seated = own.length > 0;
  const may = seated && (host || !hostIsHere);
  const people = info.seats.filter(({ kind }) => kind === "person").map(({ seat }) => seat);
  const away = (presence.away ?? [])
    .filter(({ seat }) => people.includes(seat)) // players who have left since are not waited for
    .map(({ seat, ends }): Away => ({ kind: "away", seat, ends, may, urgent: seated }));
  const open = info.newcomers ?? true;
  const empty = info.seats.filter(({ kind }) => kind === "open");
  return [
    ...away,
    ...empty.map(({ seat, level = "", agreed = [] }): Left => {
      const missing = people.filter((one) => !agreed.includes(one));
      const wanted = own.some((one) => missing.includes(one));
      const back = left.includes(seat);
      const say = !seated || !open ? null : wanted ? "yes" : "no";
      const asked = seated ? wanted && agreed.length > 0 : missing.length === 0;
      return { kind: "left", seat, level, agreed, missing, open, back, say, urgent: back || (open && asked) };
    }),
  ];
}
