/** What a figure of the rule book draws, taken from what happens in it: nothing is made up. */
import { tell, type Clash } from "./tale";
import type { Event, View } from "./view";

/** A toy that becomes marbles. */
export type Gain = Extract<Event, { key: "convert" | "marie_edwige" }>;

export const gains = (events: Event[]): Gain[] =>
  events.filter((event) => event.key === "convert" || event.key === "marie_edwige");

/** The fight as it stands at the end; cards that went back to hands after a Maman still lie there. */
export function fightIn(view: View, events: Event[]): Clash | null {
  const tale = tell(
    null,
    view,
    events.filter(({ key }) => key !== "take_back"),
  );
  return tale?.kind === "clash" ? tale : null;
}

/** Which way the toy goes, seen from the middle: to the attacker, who sits left of it, or to the others. */
export function wayOf({ outcome, by, sides }: Clash): "left" | "right" | null {
  if (by === null || !["won", "kept"].includes(outcome)) return null;
  return by === sides[0]?.seat ? "left" : "right";
}

/** The cards that a seat drew and laid, in order. */
export function handled(events: Event[], key: "draw" | "lay", seat: number): string[] {
  return events.flatMap((event) => (event.key === key && event.seat === seat ? [event.card] : []));
}

/** How wide a fight is, in cards: those of earlier rounds peep out from under the last. */
export const slots = ({ sides }: Clash): number =>
  sides.reduce((sum, { cards }) => sum + 1 + 0.38 * Math.max(0, cards.length - 1), 1);
