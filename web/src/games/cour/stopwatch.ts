/** Slapping the pile: what there is to do, how long it takes, and what came of it. */
import type { Texts } from "../../lib/text/messages";

/** The signs, in the order of their buttons. */
export const SIGNS = ["spider", "butterfly"];

/** How long players have to answer (C22). */
export const RACE_MS = 8_000;

/** What a player answered in a race, and after how many milliseconds. */
export interface RaceAnswer {
  result: "right" | "wrong" | "passed" | "late";
  delay?: number | undefined;
}

/** What came of a player's answer, in a sentence. */
export function verdict(texts: Texts, seat: number, { result, delay = 0 }: RaceAnswer): string {
  const exact = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  const seconds = new Intl.NumberFormat(texts.language, exact).format(delay / 1_000);
  return texts.say(`page.race_${result}`, { seat, seconds });
}

/**
 * How long an answer takes, from when its question first came on the screen: however often the same question is drawn
 * again, after a greeting, a repetition or behind a curtain, the time runs on.
 */
export class Stopwatch {
  private question: number | string | null = null;
  private began = 0;

  /** A question is on the screen; questions are known by their number or name. */
  shows(question: number | string, now: number): void {
    if (this.question === question) return;
    this.question = question;
    this.began = now;
  }

  /** Milliseconds since then; undefined if it has not been on the screen yet. */
  took(question: number | string, now: number): number | undefined {
    return this.question === question ? Math.max(0, Math.round(now - this.began)) : undefined;
  }
}
