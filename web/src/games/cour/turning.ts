/** A card comes from the pile and turns over. */
import type { TransitionConfig } from "svelte/transition";

export interface Turning {
  /** Milliseconds after the step. */
  at: number;
  /** It is there at once. */
  still: boolean;
}

export function fromPile(node: HTMLElement, { at, still }: Turning): TransitionConfig {
  const pile = document.querySelector("[data-spot=pile]")?.getBoundingClientRect();
  if (still || !pile) return { duration: 0 };
  const end = node.getBoundingClientRect();
  const dx = pile.left + pile.width / 2 - end.left - end.width / 2;
  const dy = pile.top + pile.height / 2 - end.top - end.height / 2;
  const css = (t: number, u: number) =>
    `transform: translate(${dx * u}px, ${dy * u}px) perspective(600px) rotateY(${-90 * u}deg); opacity: ${Math.min(1, t * 4)}`;
  return { delay: at, duration: 320, css };
}
