/** What a stage does around a step. */
import { untrack } from "svelte";

/**
 * To be called while a component is made; `number` counts its steps. `before` is called when a step is about to be drawn, with the old picture still
 * there; `after` once it is drawn. What a component begins with is no step.
 */
export function aroundSteps(number: () => number, before: () => void, after: () => void): void {
  let last = untrack(number);
  $effect.pre(() => {
    if (number() !== last) untrack(before);
  });
  $effect(() => {
    const now = number();
    if (now === last) return;
    last = now;
    untrack(after);
  });
}
