/** My games in a few words. */
import { capital } from "../text/messages";
import type { Outcome } from "../device/my-tables.svelte";
import type { Language } from "../device/settings.svelte";
import { list, say } from "../text/words.svelte";

const LOCALES = { en: "en-GB", fr: "fr-FR" };

/** How a game ended for the seats of this device. */
export function ending({ ranking }: Outcome, own: number[], names: string[]): string {
  const winners = ranking[0] ?? [];
  const mine = own.length === 1 ? own[0] : undefined;
  if (mine !== undefined && winners.includes(mine)) {
    const others = winners.filter((seat) => seat !== mine).map((seat) => names[seat] ?? "");
    if (others.length === 0) return say("mine.you_won");
    return say("mine.you_won_with", { names: list([capital(say("play.you")), ...others]) });
  }
  const won = say("mine.won", { names: list(winners.map((seat) => names[seat] ?? "")), n: winners.length });
  const group = mine === undefined ? -1 : ranking.findIndex((seats) => seats.includes(mine));
  if (group < 1) return won;
  return say("mine.placed", { won, place: 1 + ranking.slice(0, group).flat().length });
}

/** When it was: the hour of today, the day of any other, with the year if it is another one. */
export function moment(time: number, language: Language, now = Date.now()): string {
  const locale = LOCALES[language];
  const day = (one: number) => new Date(one).toDateString();
  if (day(time) === day(now)) {
    return new Date(time).toLocaleTimeString(locale, { hour: "numeric", minute: "2-digit" });
  }
  const other = new Date(time).getFullYear() !== new Date(now).getFullYear();
  const year = other ? ({ year: "numeric" } as const) : {};
  return new Date(time).toLocaleDateString(locale, { day: "numeric", month: "short", ...year });
}

/** Things that happened, month by month. */
export function byMonth<T extends { time: number }>(all: T[], language: Language): { month: string; games: T[] }[] {
  const months = new Map<string, T[]>();
  for (const one of all) {
    const month = new Date(one.time).toLocaleDateString(LOCALES[language], { month: "long", year: "numeric" });
    months.set(month, [...(months.get(month) ?? []), one]);
  }
  return [...months].map(([month, games]) => ({ month, games }));
}
