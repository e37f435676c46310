/** The way a child would walk, for the eye: some walk of the right length over open cells. */
import { cellAt, coordinates, equipmentAt, piecesOn, SIDE, type View } from "./view";

function beside(view: View, cell: string): string[] {
  const [column, row] = coordinates(cell);
  const found: string[] = [];
  for (const [dx, dy] of [
    [1, 0],
    [0, 1],
    [-1, 0],
    [0, -1],
  ] as const) {
    const [x, y] = [column + dx, row + dy];
    if (x < 0 || y < 0 || x >= SIDE || y >= SIDE) continue;
    const next = cellAt(x, y);
    if (!equipmentAt(view, next)) found.push(next);
  }
  return found;
}

/** Where a step from a cell, or out of an entrance, can lead. */
function next(view: View, at: string): string[] {
  if (at === "boys" || at === "girls") return view.exits[at];
  return beside(view, at);
}

/**
 * The cells from `from` (a cell or an entrance, not included) to `to` in exactly `steps` steps, through as few pieces as
 * possible. Straight there if no such walk exists.
 */
export function walk(view: View, from: string, to: string, steps: number): string[] {
  let best: string[] = [to];
  let cost = Infinity;
  const go = (at: string, done: string[], spent: number): void => {
    if (spent >= cost) return;
    if (done.length === steps) {
      if (at === to) [best, cost] = [done, spent];
      return;
    }
    for (const cell of next(view, at)) {
      const crowd = done.length + 1 < steps ? piecesOn(view, cell).length : 0;
      go(cell, [...done, cell], spent + crowd + (done.includes(cell) ? 0.5 : 0));
    }
  };
  go(from, [], 0);
  return best;
}
