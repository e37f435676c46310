/** How fast a person wants to see what happens. */

export const PACES = ["auto", "slow", "normal", "quick", "instant", "click"] as const;

/** `auto` is slow in the first game of a kind, then normal; `click` waits for a word after each thing that happens. */
export type PaceName = (typeof PACES)[number];

const TIMES = { slow: 1.8, normal: 1, quick: 0.45, instant: 0 };

/** How long something is seen that wants to be seen for `ms` milliseconds at a normal pace; `first` game of its kind. */
export function paced(pace: PaceName, first: boolean, ms: number): number {
  if (pace === "click") return ms > 0 ? Infinity : 0;
  return ms * TIMES[pace === "auto" ? (first ? "slow" : "normal") : pace];
}
