/** What has happened at a table so far, for its log, and the number of the last known step. */
import type { Step } from "../net/protocol";

const KEPT = 400;

export class History {
  steps = $state.raw<Step[]>([]);
  /** Something before the first of the steps is not known here. */
  gap = $state(false);
  /** The number to ask for what came after it; 0 for all. */
  known = 0;

  /** Take the server's log: all of it (`anew`), or what came after the last known step. */
  begin(number: number, steps: Step[], gap: boolean, anew: boolean): void {
    if (anew || gap || this.known === 0) {
      this.steps = steps;
      this.gap = gap;
    } else {
      this.steps = [...this.steps, ...steps.filter((step) => step.number > this.known)].slice(-KEPT);
    }
    this.known = number;
  }

  /** A step more. If it takes back others, those after number `back` go. */
  add(step: Step, back: number | null): void {
    const kept = back === null ? this.steps : this.steps.filter(({ number }) => number <= back);
    this.steps = [...kept, step].slice(-KEPT);
    this.known = step.number;
  }

  forget(): void {
    this.known = 0;
  }

  /** How long it took from the first step to the last, in milliseconds; not if the first is not known here. */
  get lasted(): number | undefined {
    const [first, last] = [this.steps[0], this.steps.at(-1)];
    return !first || !last || this.gap || this.steps.length === KEPT ? undefined : last.time - first.time;
  }

  /** Whether one of these seats did something that was shown. */
  hasActionOf(seats: number[]): boolean {
    return this.steps.some(({ actor, events }) => seats.includes(actor) && events.length > 0);
  }
}
