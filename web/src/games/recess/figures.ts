/** What is drawn over the yard in a figure of the rule book: made from what happens there, nothing is made up. */
import { corner, waiting, type Box, type Layout } from "./layout";
import { isCell, isGirl, piecesOn, SIDE, type Event, type PieceId, type View } from "./view";

/** A point of the stage, in cells. */
export interface Point {
  x: number;
  y: number;
}

export interface Arrow {
  kind: "walk" | "nun" | "shove" | "send";
  points: Point[];
  /** How many steps, where several walk. */
  label: string;
}

export type SignName = "coin" | "leave" | "kiss" | "tattle" | "catch" | "eye" | "hidden" | "cross";

export interface Sign {
  sign: SignName;
  cell: string;
}

/** Room round the cells, so that nobody who stands in the first row is cut off. */
const RIM = 0.3;

/** The part of the stage that is shown. */
export function cropped(layout: Layout, crop: readonly string[]): Box {
  const boxes = crop.map((place): Box => {
    if (place === "boys" || place === "girls") return layout[place];
    return { ...corner(layout, place), wide: 1, high: 1 };
  });
  const [left, top] = [Math.min(...boxes.map(({ x }) => x)), Math.min(...boxes.map(({ y }) => y))];
  const right = Math.max(...boxes.map(({ x, wide }) => x + wide));
  const bottom = Math.max(...boxes.map(({ y, high }) => y + high));
  const box = { x: left - RIM, y: top - RIM, wide: right - left + 2 * RIM, high: bottom - top + 2 * RIM };
  const [x, y] = [Math.max(0, box.x), Math.max(0, box.y)];
  return {
    x,
    y,
    wide: Math.min(layout.wide, box.x + box.wide) - x,
    high: Math.min(layout.high, box.y + box.high) - y,
  };
}

const middle = ({ x, y }: Point): Point => ({ x: x + 0.5, y: y + 0.55 });

function pointOf(view: View, layout: Layout, place: string, piece: PieceId): Point {
  return middle(isCell(place) ? corner(layout, place) : waiting(layout, piece, view.seats));
}

/** The ways that everybody goes, in order. `shown` are the entrances in the picture: nobody is sent out of it. */
export function arrows(view: View, events: readonly Event[], layout: Layout, shown: readonly string[]): Arrow[] {
  const walks = events.filter(({ key }) => key === "walk").length;
  return events.flatMap((event): Arrow[] => {
    const way = (kind: Arrow["kind"], piece: PieceId, places: string[], label = ""): Arrow[] => [
      { kind, label, points: places.map((place) => pointOf(view, layout, place, piece)) },
    ];
    switch (event.key) {
      case "walk":
        return way(
          "walk",
          `${event.seat}${event.child}`,
          [event.from, ...event.path],
          walks > 1 ? String(event.movement) : "",
        );
      case "nun":
        return way("nun", `nun ${event.nun}`, [event.from, event.to]);
      case "tattle":
        return way("nun", `nun ${event.nun}`, [event.from, event.cell]);
      case "shove":
        return way("shove", `${event.owner}${event.child}`, [event.from, event.to]);
      case "detention": {
        const child = `${event.bully}${event.attacker}`;
        const entrance = isGirl(child) ? "girls" : "boys";
        return shown.includes(entrance) ? way("send", child, [event.cell, entrance]) : [];
      }
      default:
        return [];
    }
  });
}

/** Signs on cells: what comes of it, what may be done instead, what is not allowed, and what is seen. */
export function signs(
  view: View,
  events: readonly Event[],
  { open, refused, eyes }: { open: readonly string[]; refused: readonly string[]; eyes: readonly string[] },
): Sign[] {
  const found: Sign[] = [];
  const caught = events.some(({ key }) => key === "detention");
  let cell = "";
  for (const event of events) {
    if (event.key === "stay" || event.key === "fight") cell = event.cell;
    if (event.key === "coin" && event.coins > 0 && !caught) found.push({ sign: "coin", cell });
    if (event.key === "kiss") found.push({ sign: "kiss", cell: event.cell });
    if (event.key === "tattle") found.push({ sign: "tattle", cell: event.from });
    if (event.key === "detention") found.push({ sign: "catch", cell: event.cell });
  }
  const target = (action: string): string => action.split(" ").at(-1) ?? "";
  for (const action of open) {
    if (action.startsWith("leave ")) found.push({ sign: "leave", cell: target(action) });
  }
  for (const action of refused) if (isCell(target(action))) found.push({ sign: "cross", cell: target(action) });
  for (const one of eyes) found.push({ sign: view.seen.includes(one) ? "eye" : "hidden", cell: one });
  return found;
}

/** How much of an arrow is left free at its ends: where somebody stands, and where a number is. */
const [NUMBER, FREE] = [0.34, 0.06];

/** Whoever stands somewhere is taller than wide: more is left free above. */
const standing = (towards: number): number => 0.42 + 0.18 * Math.max(0, -Math.sin(towards));

/** An arrow as paths in a picture with cells of 40 by 40: the shaft, and the head with its tip and turn. */
export function drawn(arrow: Arrow, isTaken: (point: Point) => boolean): { shaft: string; tip: Point; turn: number } {
  const points = arrow.points.map((point) => ({ ...point }));
  const [first, second] = [points[0], points[1]];
  const [last, before] = [points.at(-1), points.at(-2)];
  if (!first || !second || !last || !before) return { shaft: "", tip: { x: 0, y: 0 }, turn: 0 };
  const turn = Math.atan2(last.y - before.y, last.x - before.x);
  const end = arrow.label ? NUMBER : isTaken(last) ? standing(turn + Math.PI) : FREE;
  const start = Math.atan2(second.y - first.y, second.x - first.x);
  const free = isTaken(first) ? standing(start) : FREE;
  first.x += free * Math.cos(start);
  first.y += free * Math.sin(start);
  last.x -= end * Math.cos(turn);
  last.y -= end * Math.sin(turn);
  const short = (value: number): string => (40 * value).toFixed(1);
  const shaft = points.map(({ x, y }) => `${short(x)} ${short(y)}`).join("L");
  return { shaft: `M${shaft}`, tip: { x: 40 * last.x, y: 40 * last.y }, turn: (turn * 180) / Math.PI };
}

/** Whether somebody stands at a point. */
export function takenIn(view: View, layout: Layout): (point: Point) => boolean {
  return ({ x, y }) => {
    const [column, row] = [Math.floor(x - layout.board.x), SIDE - 1 - Math.floor(y - layout.board.y)];
    if (column < 0 || row < 0 || column >= SIDE || row >= SIDE) return false;
    return piecesOn(view, String.fromCharCode(97 + column) + (row + 1)).length > 0;
  };
}
