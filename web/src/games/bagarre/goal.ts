/** What it is all about, and how far the one who looks has come. */
import type { Scene } from "./view";

export function goal({ view, seat, texts }: Scene): string {
  const { goal } = view.options;
  const player = seat === null ? undefined : view.players[seat];
  return player ? texts.say("page.goal", { n: player.marbles, goal }) : texts.say("page.goal_all", { goal });
}
