/** What the page reads out of a view of Recess!. Labels only, no rules. */
import type * as contract from "../contract";
import type { ChildName, Event, Fight, Landing, Shapes, View } from "./shapes";

export type { Event, Fight, View };
export type Scene = contract.Scene<Shapes>;
export type GamePage = contract.GamePage<Shapes>;

export const SIDE = 12;
/** Columns from left to right, rows from top to bottom, counted from 0. */
export const COLUMNS = Array.from({ length: SIDE }, (_, at) => at);
export const ROWS = COLUMNS.map((at) => SIDE - 1 - at);

export const CHILDREN: readonly ChildName[] = ["b1", "b2", "g1", "g2"];

/** A child with its seat, `2g1`, or a nun, `nun 0`. */
export type PieceId = string;

/** `d5` as column and row counted from 0; `a1` is 0, 0. */
export function coordinates(cell: string): [number, number] {
  return [cell.charCodeAt(0) - 97, Number(cell.slice(1)) - 1];
}

export const cellAt = (column: number, row: number): string => String.fromCharCode(97 + column) + (row + 1);

export const isCell = (place: string): boolean => /^[a-l]\d+$/.test(place);

export function equipmentAt(view: View, cell: string): string | null {
  const [column, row] = coordinates(cell);
  const letter = view.yard[row * SIDE + column] ?? ".";
  return letter === "." ? null : letter;
}

export const seatOf = (piece: PieceId): number => (piece.startsWith("nun") ? -1 : Number(piece[0]));
export const nameOf = (piece: PieceId): string => (piece.startsWith("nun") ? piece : piece.slice(1));
export const isGirl = (piece: PieceId): boolean => piece[1] === "g";
export const isNun = (piece: PieceId): boolean => piece.startsWith("nun");

/** All pieces with their places, nuns last. */
export function places(view: View): [PieceId, string][] {
  return [...Object.entries(view.children), ...view.nuns.map((cell, nun): [PieceId, string] => [`nun ${nun}`, cell])];
}

/** Who is where, worked out once a view: the board asks for each of its cells. */
const crowds = new WeakMap<View, Map<string, PieceId[]>>();

export function piecesOn(view: View, place: string): readonly PieceId[] {
  let crowd = crowds.get(view);
  if (!crowd) {
    crowd = new Map();
    for (const [piece, where] of places(view)) crowd.set(where, [...(crowd.get(where) ?? []), piece]);
    crowds.set(view, crowd);
  }
  return crowd.get(place) ?? [];
}

export const fightOn = (view: View, cell: string): Fight | undefined => view.fights.find((one) => one.cell === cell);

export function placeOf(view: View, piece: PieceId): string {
  return (isNun(piece) ? view.nuns[Number(piece.slice(4))] : view.children[piece]) ?? "";
}

export type Pose = "up" | "attacking" | "pinned" | "detained";

export function poseOf(view: View, piece: PieceId): Pose {
  if (view.detention.includes(piece)) return "detained";
  for (const fight of view.fights) {
    if (fight.attacker === piece) return "attacking";
    if (fight.victim === piece) return "pinned";
  }
  return "up";
}

/** What things are called in the gallery: a child or a nun, and equipment by its letter. */
export const thingOf = (piece: PieceId): string => (isNun(piece) ? "nun" : isGirl(piece) ? "girl" : "boy");

export const EQUIPMENT: { readonly [letter: string]: string } = {
  S: "slide",
  M: "merry-go-round",
  T: "seesaw",
  W: "swings",
  B: "sandbox",
  C: "climbing-frame",
};

/** What there is to say of a cell: who stands on it, last who came, or what; nothing of open ground. */
export function thingOn(view: View, cell: string): string | null {
  const piece = piecesOn(view, cell).at(-1);
  if (piece !== undefined) return thingOf(piece);
  const letter = equipmentAt(view, cell);
  return letter === null ? (view.safety.includes(cell) ? "safety" : null) : (EQUIPMENT[letter] ?? null);
}

/** Equipment as it stands: its letter, first cell (left, bottom) and size in cells. */
export interface Equipment {
  letter: string;
  column: number;
  row: number;
  wide: number;
  high: number;
}

/**
 * Which cells belong together. A piece of equipment covers one or two cells and never crosses the border between two
 * sections of 6 by 6.
 */
export function equipment(yard: string): Equipment[] {
  const taken = new Set<number>();
  const found: Equipment[] = [];
  const same = (letter: string, column: number, row: number): boolean =>
    column < SIDE && row < SIDE && yard[row * SIDE + column] === letter && !taken.has(row * SIDE + column);
  for (let row = 0; row < SIDE; row++) {
    for (let column = 0; column < SIDE; column++) {
      const letter = yard[row * SIDE + column] ?? ".";
      if (letter === "." || taken.has(row * SIDE + column)) continue;
      taken.add(row * SIDE + column);
      let [wide, high] = [1, 1];
      if ((column + 1) % 6 && same(letter, column + 1, row)) {
        taken.add(row * SIDE + column + 1);
        wide = 2;
      } else if ((row + 1) % 6 && same(letter, column, row + 1)) {
        taken.add((row + 1) * SIDE + column);
        high = 2;
      }
      found.push({ letter, column, row, wide, high });
    }
  }
  return found;
}

/** The corners at the left and bottom of the safety squares, each of two cells by two. */
export function safetySquares(safety: string[]): [number, number][] {
  const inside = (column: number, row: number): boolean => safety.includes(cellAt(column, row));
  return safety.map(coordinates).filter(([column, row]) => !inside(column - 1, row) && !inside(column, row - 1));
}

/** What a mark on a legal target shows: what comes of the action, if anything does. */
export type Sign = Landing | "free";

export function signOf(view: View, action: string): Sign {
  const sign = view.landings[action] ?? "free";
  return sign === "safe" && action.startsWith("nun ") ? "free" : sign;
}

/** How many steps the movement at hand has; null where none is asked for. */
export const movementOf = ({ prompt }: View): number | null => ("movement" in prompt ? prompt.movement : null);

/** The piece an action moves, as the group of choices it belongs to; null for an action that needs no piece first. */
export function groupOf(action: string): string | null {
  const words = action.split(" ");
  if (words[0] === "nun") return `nun ${words[1]}`;
  return CHILDREN.find((child) => child === words[0]) ?? null;
}

/** The cell an action is about, if it is about one. */
export function targetOf(action: string): string | null {
  const last = action.split(" ").at(-1) ?? "";
  return isCell(last) ? last : null;
}

/** The group a piece belongs to for `seat`: its own children by name, nuns as they are. */
export function pieceGroup(piece: PieceId, seat: number | null): string | null {
  if (isNun(piece)) return piece;
  return seatOf(piece) === seat ? nameOf(piece) : null;
}

export const groupPiece = (group: string, seat: number): PieceId => (isNun(group) ? group : `${seat}${group}`);
