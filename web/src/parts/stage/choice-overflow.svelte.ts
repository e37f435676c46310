/** Whether all choices fit into their row of buttons. Create it while a component is being made. */
import { tick } from "svelte";

export class ChoiceOverflow {
  /** There are more choices than there is room for. */
  more = $state(false);
  /** All of them are shown, over the table. */
  all = $state(false);

  constructor(private readonly row: () => HTMLElement | undefined) {
    $effect(() => {
      const box = row();
      if (!box) return;
      const watch = new ResizeObserver(() => (this.more ||= isFull(box)));
      watch.observe(box);
      for (const button of box.children) watch.observe(button);
      return () => watch.disconnect();
    });
  }

  /** Measure without the button for all choices, which takes room of the row and changes its layout. */
  async measure(): Promise<void> {
    this.more = false;
    await tick();
    const box = this.row();
    if (box) this.more = isFull(box);
  }
}

function isFull(box: HTMLElement): boolean {
  return box.scrollHeight > box.clientHeight + 4 || box.scrollWidth > box.clientWidth + 4;
}
