/** Slapping the pile: what there is to do, and how long it takes. */

/** The signs, in the order of their buttons. */
export const SIGNS = ["spider", "butterfly"];

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
