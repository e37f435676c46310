/** What a cell is called for those who hear the board. */
import type { Texts } from "../../lib/messages";
import { pieceName } from "./choices";
import { equipmentAt, fightOn, piecesOn, type Sign, type View } from "./view";

/** "d5, boy 1 of Zoé, seen by a nun, here: fight". */
export function cellLabel(view: View, texts: Texts, cell: string, what: Sign | null, movable: boolean): string {
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
  if (what !== null) parts.push(texts.say(`page.mark.${what}`));
  return parts.join(", ");
}
