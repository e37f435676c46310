/** What a click on the board means: pick a piece, do something, or ask why it cannot be done. */
import { spotOf } from "../shared/spots";
import {
  groupOf,
  groupPiece,
  isCell,
  nameOf,
  pieceGroup,
  piecesOn,
  placeOf,
  seatOf,
  targetOf,
  type View,
} from "./view";

/** What there is to choose from, and what was picked so far. */
export interface Offer {
  view: View;
  legal: string[];
  seat: number | null;
  picked: string | null;
}

export type Answer = { pick: string | null } | { act: string } | null;

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

export function onCell(offer: Offer, cell: string): Answer {
  const { view, legal, seat, picked } = offer;
  if (seat === null || legal.length === 0) return null;
  const here = groupsOn(offer, cell);
  const direct = open(offer).filter((action) => targetOf(action) === cell);
  if (picked !== null) {
    // once more on the same piece: the next one on that cell, if there are several, and then none
    if (cell === placeOf(view, groupPiece(picked, seat))) return { pick: here[here.indexOf(picked) + 1] ?? null };
    if (direct.length === 0 && here[0] !== undefined) return { pick: here[0] };
    return { act: `${picked} ${cell}` };
  }
  if (direct[0] !== undefined) return direct.length === 1 ? { act: direct[0] } : null;
  if (here[0] !== undefined) return { pick: here[0] };
  const why = impossible(view, seat, cell);
  return why === null ? null : { act: why };
}

/** An action that will be refused, with a reason worth reading. */
function impossible(view: View, seat: number, cell: string): string | null {
  const { prompt } = view;
  switch (prompt.key) {
    case "prompt.shove":
      return `shove ${cell}`;
    case "prompt.tell": {
      const nun = view.nuns.indexOf(placeOf(view, `${seat}${prompt.child}`));
      return `tattle ${Math.max(0, nun)} ${cell}`;
    }
    case "prompt.move": {
      const own = piecesOn(view, cell).find((piece) => seatOf(piece) === seat);
      return own ? `${nameOf(own)} ${cell}` : null;
    }
    default:
      return null;
  }
}

/** A click on one's own child at its entrance. */
export function onWaiting({ view, legal, picked }: Offer, child: string): Answer {
  if (groupsIn(legal).has(child)) return { pick: picked === child ? null : child };
  const [exit] = view.exits[child.startsWith("g") ? "girls" : "boys"];
  return legal.length ? { act: `${child} ${exit}` } : null;
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
  const group = waiting === undefined ? groupsOn(offer, from)[0] : waiting;
  return group !== undefined && groupsIn(offer.legal).has(group) ? { group, from } : null;
}

/** A piece let go over a cell, after it was dragged there. */
export const onDrop = (group: string, from: string, to: string): Answer =>
  from !== to && isCell(to) ? { act: `${group} ${to}` } : null;
