/** What lies open to a seat: toys and cards that can be used now, and what the picked card could do. */
import { kindOf } from "./cards";
import { FIGHT } from "./choices";
import type { Scene, View } from "./view";

/** What of a scene counts here. */
export type Open = Pick<Scene, "legal" | "picked">;

const can = ({ legal }: Open, words: string[], card: string): boolean =>
  words.some((word) => legal.includes(`${word} ${card}`));

export function openToy(scene: Open, toy: string): boolean {
  const elsewhere = scene.picked !== null && scene.picked !== FIGHT && kindOf(scene.picked) !== "friend";
  return !elsewhere && can(scene, ["convert", "give", "take", "fight"], toy);
}

/** A card in hand; `aimed` is the toy that was chosen to fight for. */
export function openCard(scene: Open, view: View, card: string, aimed: string | null): boolean {
  if (view.phase === "action") return aimed !== null && kindOf(card) === "friend";
  if (card === "maman" && scene.legal.includes("maman yes")) return true;
  return can(scene, ["place", "lay", "discard"], card);
}

/** What the picked card could do, if it is legal. */
function pickedCan(scene: Open, word: string): string | null {
  return scene.picked !== null && can(scene, [word], scene.picked) ? `${word} ${scene.picked}` : null;
}

/** Actions that have a place on the table while they are on offer. */
export interface Offers {
  /** Into one's own place. */
  lay: string | null;
  /** Into the middle. */
  play: string | null;
  /** On the discard pile. */
  discard: string | null;
}

export function offersOf(scene: Open, view: View, aimed: string | null): Offers {
  return {
    lay: pickedCan(scene, "lay"),
    play: aimed === null ? pickedCan(scene, "special") : `fight ${aimed}`,
    discard: view.phase === "action" ? pickedCan(scene, "discard") : null,
  };
}
