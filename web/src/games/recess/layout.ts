/**
 * Where everything is on the stage. All measures are in cells; the stage is `wide` by `high` cells, with its origin at the
 * top left. Upright: the clock and the girls' entrance above the board, the boys' entrance and the turn below it. Lying:
 * the same beside the board. Tight: as lying, squeezed, where every pixel goes to the cells.
 */
import { coordinates, isCell, isGirl, isNun, places, poseOf, SIDE, type PieceId, type View } from "./view";

export interface Box {
  x: number;
  y: number;
  wide: number;
  high: number;
}

export interface Layout {
  wide: number;
  high: number;
  board: Box;
  boys: Box;
  girls: Box;
  clock: Box;
  turn: Box;
}

export const UPRIGHT: Layout = {
  wide: 12.6,
  high: 16.68,
  board: { x: 0.45, y: 2.13, wide: SIDE, high: SIDE },
  clock: { x: 0.2, y: 0.04, wide: 5.2, high: 2 },
  girls: { x: 5.65, y: 0.04, wide: 6.8, high: 2.05 },
  boys: { x: 0.45, y: 14.58, wide: 6.8, high: 2.05 },
  turn: { x: 7.4, y: 14.58, wide: 5.05, high: 2.05 },
};

const LYING: Layout = {
  wide: 18,
  high: 12.75,
  board: { x: 3.12, y: 0.25, wide: SIDE, high: SIDE },
  clock: { x: 0.12, y: 0.25, wide: 2.5, high: 5 },
  girls: { x: 15.27, y: 0.25, wide: 2.6, high: 6.1 },
  boys: { x: 0.12, y: 6.15, wide: 2.5, high: 6.1 },
  turn: { x: 15.3, y: 9.75, wide: 2.6, high: 2.5 },
};

const TIGHT: Layout = {
  wide: 16,
  high: 12.65,
  board: { x: 2.1, y: 0.15, wide: SIDE, high: SIDE },
  clock: { x: 0.05, y: 0.15, wide: 1.65, high: 4.6 },
  girls: { x: 14.26, y: 0.15, wide: 1.66, high: 6.2 },
  boys: { x: 0.08, y: 5.95, wide: 1.66, high: 6.2 },
  turn: { x: 14.28, y: 8.3, wide: 1.68, high: 3.85 },
};

/** Lying is kept up to this much of a smaller board, so that a prompt that grows and shrinks turns nothing round. */
const BIAS = 1.15;

/** With cells smaller than this many pixels, room for the board comes before room for everything else. */
const COMFORTABLE = 30;

/** A finger may mean any cell within a box of this many pixels. */
export const FINGER = 24;

const cellSize = (layout: Layout, width: number, height: number): number =>
  Math.min(width / layout.wide, height / layout.high);

/** The layout that leaves the larger board in a box of this shape, and its cells' size in pixels: all of it fits. */
export function fit(width: number, height: number): { layout: Layout; cell: number } {
  const [lying, upright] = [cellSize(LYING, width, height), cellSize(UPRIGHT, width, height)];
  const roomy = BIAS * lying > upright ? { layout: LYING, cell: lying } : { layout: UPRIGHT, cell: upright };
  const tight = cellSize(TIGHT, width, height);
  return roomy.cell < COMFORTABLE && tight > 1.05 * roomy.cell ? { layout: TIGHT, cell: tight } : roomy;
}

/** A piece's place: the middle of its feet's cell as left top corner of a box of one cell, and its size. */
export interface Spot {
  x: number;
  y: number;
  size: number;
}

/** The left top corner of a cell. */
export function corner(layout: Layout, cell: string): { x: number; y: number } {
  const [column, row] = coordinates(cell);
  return { x: layout.board.x + column, y: layout.board.y + SIDE - 1 - row };
}

/** A child's own place at its entrance: always the same, so that nobody shuffles about. */
export function waiting(layout: Layout, piece: PieceId, seats: number): Spot {
  const box = isGirl(piece) ? layout.girls : layout.boys;
  const slot = Number(piece[0]) * 2 + Number(piece[2]) - 1;
  const count = 2 * seats;
  const columns = box.wide > box.high ? Math.ceil(count / 2) : 2;
  const rows = Math.ceil(count / columns);
  // children of one seat stand beside each other in rows of two, or above each other in columns of two
  const [column, row] =
    box.wide > box.high ? [Math.floor(slot / 2), slot % 2] : [slot % columns, Math.floor(slot / columns)];
  const door = box.wide > box.high ? { x: 1.5, y: 0.02 } : { x: 0.1, y: 1.1 };
  const free = { wide: box.wide - door.x - 0.15, high: box.high - door.y - 0.05 };
  const size = Math.min(0.92, (1.25 * free.wide) / columns);
  return {
    x: box.x + door.x + ((column + 0.5) * free.wide) / columns - 0.5,
    y: box.y + door.y + ((row + 0.5) * free.high) / rows - 0.56,
    size,
  };
}

/** How several pieces share one cell: side by side, then in rows. */
function share(index: number, count: number): Spot {
  if (count === 1) return { x: 0, y: 0, size: 1 };
  const columns = count === 2 ? 2 : Math.ceil(Math.sqrt(count));
  const rows = Math.ceil(count / columns);
  const size = count === 2 ? 0.74 : Math.min(0.62, 1.16 / columns);
  const spread = (at: number, all: number): number =>
    all === 1 ? 0 : (at / (all - 1) - 0.5) * (1 - size) * (count === 2 ? 1.75 : 1.15);
  return { x: spread(index % columns, columns), y: spread(Math.floor(index / columns), rows), size };
}

/** Where every piece stands. Fighters share their cell by their poses, not by spreading. */
export function spots(view: View, layout: Layout): Map<PieceId, Spot> {
  const found = new Map<PieceId, Spot>();
  const crowd = new Map<string, PieceId[]>();
  for (const [piece, place] of places(view)) {
    if (!isCell(place)) {
      found.set(piece, waiting(layout, piece, view.seats));
      continue;
    }
    const pose = isNun(piece) ? "up" : poseOf(view, piece);
    if (pose === "attacking" || pose === "pinned") {
      found.set(piece, { ...corner(layout, place), size: 1 });
      continue;
    }
    crowd.set(place, [...(crowd.get(place) ?? []), piece]);
  }
  for (const [cell, pieces] of crowd) {
    const fighters = !view.safety.includes(cell) && view.fights.some((fight) => fight.cell === cell) ? 1 : 0;
    const { x, y } = corner(layout, cell);
    pieces.forEach((piece, index) => {
      const { x: dx, y: dy, size } = share(index, pieces.length + fighters);
      found.set(piece, { x: x + dx, y: y + dy, size });
    });
  }
  return found;
}

// As CSS.

export const percent = (part: number, whole: number): string => `${(100 * part) / whole}%`;

export function boxed(box: Box, layout: Layout): string {
  const across = `left:${percent(box.x, layout.wide)};width:${percent(box.wide, layout.wide)}`;
  return `${across};top:${percent(box.y, layout.high)};height:${percent(box.high, layout.high)}`;
}

/** Puts a box of one cell at a spot, whatever the size of the stage. */
export const transformTo = (spot: Spot): string => `translate(${100 * spot.x}%, ${100 * spot.y}%) scale(${spot.size})`;
