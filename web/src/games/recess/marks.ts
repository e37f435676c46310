/** What on the board an action is about. */
import { selector } from "../shared/spots";
import { groupOf, groupPiece, isCell, nameOf, placeOf, targetOf, type Scene } from "./view";

export function marks({ view, seat }: Scene, action: string): string[] {
  const group = groupOf(action);
  const piece = group === null ? (view.step?.hand ?? null) : groupPiece(group, seat ?? view.active);
  const place = piece === null ? null : placeOf(view, piece);
  const found: string[] = [];
  if (piece !== null && place !== null) {
    found.push(isCell(place) ? selector(place) : `${selector(place)}[data-child="${nameOf(piece)}"]`);
  }
  const target = targetOf(action);
  if (target !== null && target !== place) found.push(selector(target));
  return found;
}
