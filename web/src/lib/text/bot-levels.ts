/** What bots are called, and how they play. */
import { STAND_IN } from "../table/absent-seats";
import { gameInfo } from "../catalogue/games";
import { settings } from "../device/settings.svelte";
import { hasText, say } from "./words.svelte";

export function levelName(level: string): string {
  return hasText(`bot.${level}`) ? say(`bot.${level}`) : level;
}

/** How a bot of a level plays, in a sentence; and how quick it is, in games where that counts. */
export function aboutLevel(level: string, game: string): string {
  const about = hasText(`bot.${level}.about`) ? say(`bot.${level}.about`) : aboutOwn(level, game);
  const [low, high] = gameInfo(game)?.reactions[level] ?? [];
  if (low === undefined || high === undefined) return about;
  const seconds = (ms: number) => (ms / 1000).toLocaleString(settings.language);
  return `${about} ${say("level.reaction", { low: seconds(low), high: seconds(high) })}`.trim();
}

/** The same of one that this server brought along, or that it has not any more. */
function aboutOwn(level: string, game: string): string {
  const info = gameInfo(game);
  if (!info) return "";
  return info.bots.includes(level) ? say("level.own") : say("level.gone", { level: levelName(STAND_IN) });
}
