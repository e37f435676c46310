/** What a cell is called for those who hear the board. */
import type { Texts } from "../../lib/text/messages";
import { pieceName } from "./choices";
import { equipmentAt, fightOn, piecesOn, type Sign, type View } from "./view";

/** A cell as something to do: what would happen there, and what would come of it. */
export interface Target {
  what: Sign;
  means?: string | undefined;
}

/** "d5, Zoé's boy 1, seen by a nun, can go here: a fight. 1 coin from Zoé." */
export function cellLabel(view: View, texts: Texts, cell: string, target: Target | null, movable: boolean): string {
  const parts = [cell];
  const thing = equipmentAt(view, cell);
  if (thing !== null) parts.push(texts.say(`page.equipment.${thing}`));
  if (view.safety.includes(cell)) parts.push(texts.say("page.safety"));
  const fight = fightOn(view, cell);
  if (fight) {
    const [attacker, victim] = [pieceName(texts, fight.attacker), pieceName(texts, fight.victim)];
    parts.push(texts.say("page.holds", { attacker, victim }));
  }
  for (const piece of piecesOn(view, cell)) {
    if (piece !== fight?.attacker && piece !== fight?.victim) parts.push(pieceName(texts, piece));
  }
  if (view.seen.includes(cell)) parts.push(texts.say("page.seen"));
  if (movable) parts.push(texts.say("page.movable"));
  if (target !== null) parts.push(texts.say(`page.mark.${target.what}`));
  return parts.join(", ") + (target?.means ? `. ${target.means}` : "");
}
