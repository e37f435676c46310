/** Arrows and rings that the leader of a shared replay shows to all. */
import type { Box } from "../../../lib/ui/bounding-boxes";
import type { PlaceLabel } from "./board-places";
import type { Mark } from "../../../lib/net/protocol";

/** As many as the server takes. */
export const MAX_MARKS = 24;

/** A ring round a place, or an arrow to another. */
export function markOf(at: string, to: string): Mark {
  return to === at || to === "" ? { kind: "ring", at } : { kind: "arrow", at, to };
}

export const same = (one: Mark, other: Mark): boolean => one.at === other.at && (one.to ?? "") === (other.to ?? "");

/** With one more mark, or without it if it was there: to mark the same again takes it away. The oldest give way. */
export function toggled(marks: readonly Mark[], mark: Mark): Mark[] {
  const others = marks.filter((one) => !same(one, mark));
  return others.length < marks.length ? others : [...others, mark].slice(-MAX_MARKS);
}

/** A mark in words: "h8", "h8 → f6". Nothing, if the game does not know these places. */
export function inWords({ at, to }: Mark, called: PlaceLabel): string {
  const ends = [called(at), ...(to ? [called(to)] : [])];
  return ends.includes(null) ? "" : ends.join(" → ");
}

const middle = ({ left, top, width, height }: Box): [number, number] => [left + width / 2, top + height / 2];
const inside = ({ width, height }: Box): number => Math.min(width, height);

/** An arrow from box to box, as the path of a line with its head: it begins and ends a little outside the middles. */
export function arrow(from: Box, to: Box): string {
  const [[x1, y1], [x2, y2]] = [middle(from), middle(to)];
  const far = Math.hypot(x2 - x1, y2 - y1);
  if (far < 1) return "";
  const [ux, uy] = [(x2 - x1) / far, (y2 - y1) / far];
  const [start, end] = [Math.min(inside(from) / 3, far / 4), Math.min(inside(to) / 5, far / 4)];
  const head = Math.min(Math.max(inside(to) / 3, 9), 18);
  const [ex, ey] = [x2 - ux * end, y2 - uy * end];
  const wing = (side: 1 | -1): string =>
    point(ex - head * (0.85 * ux - 0.6 * side * uy), ey - head * (0.85 * uy + 0.6 * side * ux));
  return `M${point(x1 + ux * start, y1 + uy * start)}L${point(ex, ey)}M${wing(1)}L${point(ex, ey)}L${wing(-1)}`;
}

const point = (x: number, y: number): string => `${x.toFixed(1)} ${y.toFixed(1)}`;
