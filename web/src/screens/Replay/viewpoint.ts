/** Whose eyes a finished game is looked at through, and what they see of a step. */
import type { Frame, Json } from "../../lib/net/protocol";

/** Those of a seat, those of a spectator (null), or all together: every hand is open then. */
export type Viewpoint = number | null | "all";

/** A step as some eyes see it; `views` are those of all seats, if all look. */
export interface Moment extends Frame {
  views: Json[];
}

/** A step through some eyes. All of them: as a spectator sees it, then every seat. */
export function merged([first, ...others]: Frame[], viewpoint: Viewpoint): Moment {
  if (!first) throw new Error("there is no such step");
  if (viewpoint !== "all") return { ...first, views: [] };
  const told = others.map((other) => other.events ?? []);
  const events = (first.events ?? []).map((event, nth) => fullest(event, told, nth));
  return { ...first, events, views: others.map((other) => other.view ?? {}) };
}

/** An event as those see it who see more of it than everybody: whom it is about, or the first who does. */
function fullest(event: Json, told: Json[][], nth: number): Json {
  const plain = JSON.stringify(event);
  const versions = told.map((events) => events[nth] ?? event);
  const own = typeof event["seat"] === "number" ? versions[event["seat"]] : undefined;
  return [own, ...versions].find((one) => one !== undefined && JSON.stringify(one) !== plain) ?? event;
}
