/** What it is all about, and how far one has come. */
import type { Scene } from "./view";

/** So many cards each, and the round is the last (C15). */
const WANTED = 7;

export function goal({ view, seat, texts }: Scene): string {
  if (view.ending || view.phase === "over") return texts.say("page.goal_last");
  if (seat === null) return texts.say("page.goal_least", { n: Math.min(...view.sizes) });
  const n = view.sizes[seat] ?? 0;
  const below = view.sizes.filter((size) => size < WANTED).length;
  return n < WANTED ? texts.say("page.goal", { n }) : texts.say("page.goal_wait", { n, k: below });
}
