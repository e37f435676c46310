/** What a click on the board means: pick a piece, do something, choose between several, or learn why it cannot be done. */
import { spotOf } from "../shared/spots";
import {
  cellAt,
  coordinates,
  groupOf,
  groupPiece,
  isCell,
  isNun,
  nameOf,
  pieceGroup,
  piecesOn,
  placeOf,
  seatOf,
  SIDE,
  targetOf,
  type PieceId,
  type View,
} from "./view";

/** What there is to choose from, and what was picked so far. */
export interface Offer {
  view: View;
  legal: string[];
  seat: number | null;
  picked: string | null;
}

/** Something that a click can mean. */
export type Meant = { pick: string | null } | { act: string };

/** What follows a click; `ask` where it can mean several things, `say` where it means nothing yet: a text's key. */
export type Answer = Meant | { ask: Meant[] } | { say: string; who?: PieceId; cell?: string } | null;

/** Worked out once for what is legal: the board asks for each of its cells. */
const groups = new WeakMap<string[], Set<string>>();

/** Pieces that can be picked. */
export function groupsIn(legal: string[]): Set<string> {
  let found = groups.get(legal);
  if (!found) groups.set(legal, (found = new Set(legal.map(groupOf).filter((one) => one !== null))));
  return found;
}

/** Pieces on a cell, or at an entrance, that can be picked. */
export function groupsOn({ view, legal, seat }: Offer, place: string): string[] {
  const pickable = groupsIn(legal);
  return piecesOn(view, place).flatMap((piece) => {
    const group = pieceGroup(piece, seat);
    return group !== null && pickable.has(group) ? [group] : [];
  });
}

/** Actions on cells that are open as things are picked now. */
export const open = ({ legal, picked }: Offer): string[] =>
  legal.filter((action) => targetOf(action) !== null && groupOf(action) === picked);

const picks = (found: string[]): Meant[] => found.map((pick) => ({ pick }));

/** One of them is meant; which, is asked where they are several. */
const oneOf = (meant: Meant[]): Answer => (meant.length > 1 ? { ask: meant } : (meant[0] ?? null));

export function onCell(offer: Offer, cell: string): Answer {
  const { view, legal, seat, picked } = offer;
  if (seat === null) return null;
  if (legal.length === 0) return idle(view, seat);
  const here = groupsOn(offer, cell);
  const direct = open(offer).filter((action) => targetOf(action) === cell);
  if (picked !== null) {
    // once more on the same piece lets it go, unless somebody else beside it may be meant
    if (cell === placeOf(view, groupPiece(picked, seat))) return here.length > 1 ? oneOf(picks(here)) : { pick: null };
    if (direct.length === 0 && here.length) return oneOf(picks(here));
    return { act: `${picked} ${cell}` };
  }
  if (direct[0] !== undefined) return direct.length === 1 ? { act: direct[0] } : null;
  return here.length ? oneOf(picks(here)) : impossible(view, seat, cell);
}

/** A click where nothing is asked of this seat: whom one waits for. */
function idle(view: View, seat: number): Answer {
  return view.active !== seat && view.prompt.key.startsWith("wait.") ? { say: "page.wrong.wait" } : null;
}

/** What to do first, or an action that will be refused with a reason worth reading. */
function impossible(view: View, seat: number, cell: string): Answer {
  const { prompt } = view;
  const here = piecesOn(view, cell);
  switch (prompt.key) {
    case "prompt.shove":
      return { act: `shove ${cell}` };
    case "prompt.tell": {
      const nun = view.nuns.indexOf(placeOf(view, `${seat}${prompt.child}`));
      return { act: `tattle ${Math.max(0, nun)} ${cell}` };
    }
    case "prompt.move": {
      const own = here.find((piece) => seatOf(piece) === seat);
      if (own !== undefined) return { act: `${nameOf(own)} ${cell}` };
      const [other] = here;
      if (other === undefined) return { say: "page.wrong.child" };
      return isNun(other) ? { say: "page.wrong.later" } : { say: "page.wrong.other", who: other };
    }
    case "prompt.choose":
      return { say: "page.wrong.choose", cell: prompt.cell };
    case "prompt.duty":
      return { say: "prompt.duty" };
    default:
      return { say: here.length ? "page.wrong.done" : "page.wrong.nun" };
  }
}

/** A click on one's own child at its entrance. */
export function onWaiting({ view, legal, picked }: Offer, child: string): Answer {
  if (groupsIn(legal).has(child)) return { pick: picked === child ? null : child };
  const [exit] = view.exits[child.startsWith("g") ? "girls" : "boys"];
  if (legal.length === 0) return null;
  return view.prompt.key === "prompt.move" ? { act: `${child} ${exit}` } : onEntrance(view, legal);
}

/** A click on an entrance, or on somebody there who is not one's own. */
export function onEntrance(view: View, legal: string[]): Answer {
  if (legal.length === 0) return null;
  if (view.prompt.key === "prompt.choose") return { say: "page.wrong.choose", cell: view.prompt.cell };
  if (view.prompt.key === "prompt.move") return { say: "page.wrong.child" };
  return view.prompt.key === "prompt.nun" || view.prompt.key === "prompt.duty" ? { say: "page.wrong.nun" } : null;
}

/**
 * A finger came down on a board with small cells, so many cells from its left and top: all that it may have meant
 * within `reach` cells. Null where the cell under it is answer enough.
 */
export function underFinger(offer: Offer, x: number, y: number, reach: number): Answer {
  const meant: Meant[] = [];
  const cells: string[] = [];
  for (let row = 0; row < SIDE; row++) {
    for (let column = 0; column < SIDE; column++) {
      const away = Math.hypot(
        Math.max(column - x, 0, x - column - 1),
        Math.max(SIDE - 1 - row - y, 0, y - (SIDE - row)),
      );
      if (away > reach) continue;
      const cell = cellAt(column, row);
      const acts = open(offer).filter((action) => targetOf(action) === cell);
      const found = acts.length
        ? acts.map((act) => ({ act }))
        : picks(groupsOn(offer, cell).filter((one) => one !== offer.picked));
      if (found.length) cells.push(cell);
      meant.push(...found);
    }
  }
  return cells.length > 1 ? oneOf(meant) : null;
}

/** A piece that a hand has hold of, as the group it belongs to, and where it was taken. */
export interface Held {
  group: string;
  from: string;
}

/** What a press takes hold of: the child at its entrance, or the first piece on a cell that can be picked. */
export function held(offer: Offer, pressed: EventTarget | null): Held | null {
  if (!(pressed instanceof Element)) return null;
  const from = spotOf(pressed);
  if (from === null) return null;
  const waiting = pressed.closest<HTMLElement>("[data-child]")?.dataset.child;
  const here = groupsOn(offer, from);
  const group = waiting ?? here.find((one) => one === offer.picked) ?? here[0];
  return group !== undefined && groupsIn(offer.legal).has(group) ? { group, from } : null;
}

/** A piece let go over a cell, after it was dragged there. */
export const onDrop = (group: string, from: string, to: string): Answer =>
  from !== to && isCell(to) ? { act: `${group} ${to}` } : null;

/** Whether two cells are in different halves of the board, upper and lower. */
export const isLow = (cell: string): boolean => coordinates(cell)[1] < SIDE / 2;
