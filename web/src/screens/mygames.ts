/** My games in a few words. */
import type { Outcome } from "../lib/mine.svelte";
import type { Language } from "../lib/settings.svelte";
import { list, say } from "../lib/words.svelte";

/** How a game ended for the seats of this device. */
export function ending({ ranking }: Outcome, own: number[], names: string[]): string {
  const winners = ranking[0] ?? [];
  const mine = own.length === 1 ? own[0] : undefined;
  if (mine !== undefined && winners.length === 1 && winners[0] === mine) return say("mine.you_won");
  const won = say("mine.won", { names: list(winners.map((seat) => names[seat] ?? "")), n: winners.length });
  const group = mine === undefined ? -1 : ranking.findIndex((seats) => seats.includes(mine));
  if (group < 1) return won;
  return say("mine.placed", { won, place: 1 + ranking.slice(0, group).flat().length });
}

/** When it was: the hour of today, the day of any other. */
export function moment(time: number, language: Language, now = Date.now()): string {
  const locale = { en: "en-GB", fr: "fr-FR" }[language];
  const day = (one: number) => new Date(one).toDateString();
  if (day(time) === day(now)) {
    return new Date(time).toLocaleTimeString(locale, { hour: "numeric", minute: "2-digit" });
  }
  return new Date(time).toLocaleDateString(locale, { day: "numeric", month: "short" });
}
