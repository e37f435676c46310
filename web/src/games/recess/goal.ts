/** What it is all about, and how far one has come: coins, and the minutes that are left. */
import type { Scene } from "./view";

/** "Your coins: 7 · minute 12 of 30"; for those who only watch, who leads. */
export function goal({ view, seat, texts }: Scene): string {
  const minute = texts.say("page.clock", { turn: view.turn, of: view.options.turns });
  if (seat !== null) return `${texts.say("page.goal.own", { coins: view.coins[seat] ?? 0 })} · ${minute}`;
  const most = Math.max(...view.coins);
  const leaders = view.coins.flatMap((coins, one) => (coins === most ? [one] : []));
  const all = leaders.length === view.seats;
  return `${texts.say(all ? "page.goal.level" : "page.goal.leads", { leaders, coins: most })} · ${minute}`;
}
