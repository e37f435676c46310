/** The keyboard focus, where a button goes away. */
import { tick } from "svelte";

/** Move the focus to a region when what had it inside goes away because something `changes`. */
export function keepFocus(region: () => HTMLElement | undefined, changes: () => unknown): void {
  $effect.pre(() => {
    changes();
    const box = region();
    if (!box?.contains(document.activeElement)) return;
    void tick().then(() => box.contains(document.activeElement) || box.focus());
  });
}
