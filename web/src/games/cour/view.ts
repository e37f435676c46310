/** Small readings of a view of Dans la cour d'école. No rules: only looking. */
import type * as contract from "../contract";
import type { Event, Shapes, View, Working } from "./shapes";

export type { Event, View, Working };
export type Scene = contract.Scene<Shapes>;
export type GamePage = contract.GamePage<Shapes>;

/** How many cards of each kind. */
export type Hand = { readonly [kind: string]: number };

/** The order in which cards lie in a hand: the five collections, then leaves and chestnuts. */
const ORDER = ["marble", "brick", "soldier", "monster", "car", "leaf", "chestnut"];

/** What a kind is called: `brick.2` is a brick. */
export function typeOf(kind: string): string {
  return kind.split(".")[0] ?? kind;
}

export interface Collection {
  type: string;
  kinds: string[];
}

/** A hand sorted into its collections, every card on its own. */
export function collections(hand: Hand): Collection[] {
  return ORDER.map((type) => ({
    type,
    kinds: Object.entries(hand)
      .filter(([kind]) => typeOf(kind) === type)
      .flatMap(([kind, count]) => Array<string>(count).fill(kind)),
  })).filter((one) => one.kinds.length > 0);
}

/** How many cards the pile still has. */
export function pileSize(view: View): number {
  return Object.values(view.pool).reduce((sum, count) => sum + count, view.under.length);
}

/** The verbs whose last word is a seat. */
const AT_A_SEAT = new Set(["give", "point", "challenge", "steal", "friend"]);

/** What a click on a seat does now: for every seat an action, legal or not; null if no seat is asked for. */
export function aims(scene: Scene): { actions: string[]; legal: Set<number> } | null {
  const first = scene.legal[0];
  const verb = first?.split(" ")[0];
  if (first === undefined || verb === undefined || !AT_A_SEAT.has(verb)) return null;
  const cards = new Set(scene.legal.map(stem));
  const wanted = cards.size === 1 ? stem(first) : scene.picked;
  if (wanted === null || !cards.has(wanted)) return null;
  const legal = scene.legal
    .filter((action) => stem(action) === wanted)
    .map((action) => Number(action.split(" ").at(-1)));
  return {
    actions: scene.names.map((_, seat) => `${wanted} ${seat}`),
    legal: new Set(legal.filter((seat) => !Number.isNaN(seat))),
  };
}

/** An action without the seat it names: `give brick 2` is one way to `give brick`. */
export function stem(action: string): string {
  return action.split(" ").slice(0, -1).join(" ");
}

/** An open card, with what can be done with it. */
export interface OpenCard {
  /** A name of its own, so that it stays the same card while it moves. */
  id: string;
  kind: string;
  actions: string[];
}

export function openCards(scene: Scene): OpenCard[] {
  const { open, turn } = scene.view;
  return open.map((kind, at) => {
    const nth = open.slice(0, at).filter((other) => other === kind).length;
    const actions = scene.legal.filter((action) => action.split(" ")[1] === kind && /^(keep|give) /.test(action));
    return { id: `${turn} ${kind} ${nth}`, kind, actions };
  });
}

/** What is done with the cards turned over, and how far one is: with the glue pot none of them goes back (C13). */
export function turnSteps({ phase, open, to_keep }: View): { steps: ("keep" | "give" | "put_back")[]; now: number } {
  const glued = open.length - to_keep - 1 < 1;
  if (!glued) return { steps: ["keep", "give", "put_back"], now: phase === "keep" ? 0 : 1 };
  return { steps: ["keep", "keep", "give"], now: 2 - to_keep };
}

/** Whether the pile is to be slapped for real: only then may somebody point at nobody (C22). */
export function slapping(scene: Scene): boolean {
  return scene.legal.includes("point none");
}

/** The best row of a seat, as the server laid it; empty before the end. */
export function best(scene: Scene, seat: number): string[] {
  return working(scene)[seat]?.row.map(({ card }) => card) ?? [];
}

/** The working of every seat; empty before the end. */
export function working(scene: Scene): Working[] {
  return scene.result?.detail?.working ?? [];
}
