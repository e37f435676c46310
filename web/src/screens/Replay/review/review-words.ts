/** A review in words. */
import { betterInSentence } from "../../../lib/table/hints.svelte";
import type { Texts } from "../../../lib/text/messages";
import type { Decision, Turning } from "../../../lib/net/protocol";
import { say } from "../../../lib/text/words.svelte";
import { changed, span, type Span } from "./review";

/** "5 to 12 points". */
export function inPoints({ low, high }: Span): string {
  return low === high ? say("review.points", { n: low }) : say("review.points_to", { low, high });
}

/** What a turning point has changed, and for whom most. */
export function turned(turning: Turning, names: readonly string[]): string {
  const { cause, actor, seat, change } = turning;
  const own = cause === "choice" && actor === seat;
  const way = change > 0 ? "up" : "down";
  const params = { actor, seat, way, points: inPoints(changed(turning)) };
  return say(own ? "review.turned.own" : `review.turned.${cause}`, params, names);
}

/** What a choice has cost. */
export function cost({ called, seat, low, high }: Decision, names: readonly string[]): string {
  return say("review.cost", { called, seat, points: inPoints(span(low, high)) }, names);
}

/** What would have been better, and why: addressed to the player who chose, or about them. */
export function better({ seat, best: action, do: what, reasons, but }: Decision, texts: Texts): string {
  return betterInSentence(seat, { action, do: what, reasons, but }, texts, () => action);
}
