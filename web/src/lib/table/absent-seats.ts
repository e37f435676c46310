/** Seats without their people in a game under way: whom the others wait for, and which were left for good. */
import type { Presence, TableInfo } from "../net/protocol";

/** The level of the bot that is let in for somebody: the middle one, as the server's own choice. */
export const STAND_IN = "normal";

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
  /** The level of the bot that plays on. */
  level: string;
  agreed: number[];
  missing: number[];
  /** Whether somebody new may come at all. */
  open: boolean;
  /** Whoever reads this has left the seat themselves, and may come back. */
  back: boolean;
  /** What this person can say: that they agree, or that they do no longer. */
  say: "yes" | "no" | null;
  urgent: boolean;
}

export type Absence = Away | Left;

/** What there is to be settled, for somebody who has the seats `mine` and had those that they `left`. */
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
    .filter(({ seat }) => people.includes(seat)) // whoever has left since is not waited for
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
