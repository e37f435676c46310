/** A challenge in words, and how one sits down to it. */
import { api } from "../../lib/net/api";
import { challenges, dayOf, COUNTED_ATTEMPTS, type Attempt } from "../../lib/learn/challenges.svelte";
import { gameTitle } from "../../lib/catalogue/games";
import type { Texts } from "../../lib/text/messages";
import { myTables } from "../../lib/device/my-tables.svelte";
import { go } from "../../lib/navigation/router.svelte";
import { settings, type Language } from "../../lib/device/settings.svelte";
import { say } from "../../lib/text/words.svelte";

/** Where a challenge is. */
export function wayTo(game: string, day: string): string {
  return `/challenge/${game}/${day}`;
}

/** A day as one says it: "17 November"; with the day of the week, or in short. */
export function dayName(day: string, language: Language, how: "plain" | "weekday" | "short" = "plain"): string {
  const locale = { en: "en-GB", fr: "fr-FR" }[language];
  const noon = new Date(`${day}T12:00:00Z`);
  if (Number.isNaN(noon.getTime())) return day; // the server will refuse it as no day
  const said = noon.toLocaleDateString(locale, {
    day: "numeric",
    month: how === "short" ? "short" : "long",
    timeZone: "UTC",
    ...(how === "weekday" && { weekday: "long" }),
  });
  return language === "fr" ? said.replace(/\b1 /, "1er ") : said;
}

/** How long there is left: hours and minutes, and never nothing. */
export function timeLeft(ms: number): string {
  const minutes = Math.max(1, Math.ceil(ms / 60_000));
  return say("challenge.left", { hours: Math.floor(minutes / 60), minutes: minutes % 60 });
}

/** A score in the game's own words. */
export function points(texts: Texts, n: number): string {
  return texts.has("points") ? texts.say("points", { n }) : say("end.points", { n });
}

/** What is told to friends. */
export function shared(game: string, day: string, texts: Texts): string {
  const best = challenges.best(game, day);
  if (!best) return "";
  return say("challenge.shared", {
    game: gameTitle(game),
    day: dayName(day, settings.language),
    points: points(texts, best.measure),
    n: Math.min(COUNTED_ATTEMPTS, challenges.attempts(game, day).length),
  });
}

/** A try that can be gone on with: this device still has its seat. */
export function underWay(game: string, day: string): Attempt | undefined {
  return challenges.attempts(game, day).findLast((one) => one.measure === undefined && myTables.token(one.table));
}

/** Sit down to a challenge. */
export async function begin(game: string, day: string): Promise<void> {
  const seated = await api.tryChallenge(game, day, settings.name.trim());
  myTables.keep(seated);
  challenges.begin(game, day, seated.table.id, dayOf(seated.table.created));
  go(`/t/${seated.table.id}`);
}
