/** The viewpoint of a replay, and what it shows of a step. */
import type { Frame, Json } from "../../lib/net/protocol";

/** A seat's view, the public view (null), or all views together: every hand is open then. */
export type Viewpoint = number | null | "all";

/** A step from a viewpoint; `views` are those of all seats, if all hands are open. */
export interface Moment extends Frame {
  views: Json[];
}

/** A step from a viewpoint. For all hands open: the frame of the public view, then those of all seats. */
export function merged([first, ...others]: Frame[], viewpoint: Viewpoint): Moment {
  if (!first) throw new Error("there is no such step");
  if (viewpoint !== "all") return { ...first, views: [] };
  const told = others.map((other) => other.events ?? []);
  const events = (first.events ?? []).map((event, nth) => fullest(event, told, nth));
  return { ...first, events, views: others.map((other) => other.view ?? {}) };
}

/** An event as the seat sees it that sees more of it than the public view: its own seat, or the first that does. */
function fullest(event: Json, told: Json[][], nth: number): Json {
  const plain = JSON.stringify(event);
  const versions = told.map((events) => events[nth] ?? event);
  const own = typeof event["seat"] === "number" ? versions[event["seat"]] : undefined;
  return [own, ...versions].find((one) => one !== undefined && JSON.stringify(one) !== plain) ?? event;
}
