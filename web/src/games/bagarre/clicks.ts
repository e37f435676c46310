/** What a click on a card means now, or dropping one somewhere. The page knows no rules: it looks among the legal actions. */
import type { Scene } from "../contract";
import { kindOf } from "./cards";
import type { View } from "./view";

export interface Click {
  action?: string;
  pick?: string;
  /** The toy to fight for. */
  aim?: string;
  /** The friend that is to go down once the fight is named. */
  friend?: string;
  /** Nothing to do: say what the card is. */
  look?: string;
}

type Seen = Pick<Scene, "legal" | "picked" | "seat">;

/** A toy in front of somebody. An action that is not legal is sent all the same: the refusal says why. */
export function toyClick(scene: Seen, view: View, toy: string): Click {
  if (scene.legal.length === 0) return { look: toy };
  const fight = `fight ${toy}`;
  if (scene.legal.includes(fight)) {
    const friend = scene.picked !== null && kindOf(scene.picked) === "friend" ? scene.picked : null;
    return friend === null ? { aim: toy } : { action: fight, friend };
  }
  const found = ["convert", "give", "take"].map((word) => `${word} ${toy}`).find((one) => scene.legal.includes(one));
  if (found) return { action: found };
  const own = scene.seat !== null && view.players[scene.seat]?.front.includes(toy);
  if (view.phase === "give" || view.phase === "take") return { action: `${view.phase} ${toy}` };
  return { action: own ? `convert ${toy}` : fight };
}

/** A card in one's own hand; `aimed` is the toy that was chosen to fight for. */
export function cardClick(scene: Seen, view: View, card: string, aimed: string | null = null): Click {
  if (scene.legal.length === 0) return { look: card };
  const kind = kindOf(card);
  if (view.phase === "action") {
    return aimed !== null && kind === "friend" ? { action: `fight ${aimed}`, friend: card } : { pick: card };
  }
  if (card === "maman" && view.phase === "maman") return { action: "maman yes" };
  if (view.phase === "excess") return { action: `discard ${card}` };
  return { action: `${{ friend: "place", toy: "lay", special: "special" }[kind]} ${card}` };
}

/** A card of one's own hand let go over a spot of the table (see flights.ts); elsewhere nothing happens. */
export function drop(scene: Seen, view: View, card: string, spot: string): Click {
  if (scene.legal.length === 0) return {};
  const kind = kindOf(card);
  if (spot === "discard") return { action: `discard ${card}` };
  const toy = spot.startsWith("toy:") ? spot.slice(4) : "";
  const own = scene.seat !== null && view.players[scene.seat]?.front.includes(toy);
  if (spot === "front" || own) return { action: `lay ${card}` };
  if (toy && view.phase === "action" && kind === "friend") return { action: `fight ${toy}`, friend: card };
  if (!MIDDLE.test(spot)) return {};
  if (view.phase !== "action") return cardClick(scene, view, card);
  return kind === "friend" ? {} : { action: `${kind === "toy" ? "lay" : "special"} ${card}` };
}

const MIDDLE = /^(middle|tale|stake|down:)/;
