/** Moves through a replay: step by step, turn by turn, or by itself. The address in the browser follows. */
import type { ReplayScene, Viewpoint } from "./replay-scene.svelte";
import { go, route } from "../../lib/navigation/router.svelte";
import { showError } from "../../lib/text/error-messages";
import { play as sound } from "../../lib/ui/sounds";

/** How long scrubbing must have stopped, in milliseconds, before the address follows: browsers limit how often it may change. */
const ADDRESS_DELAY = 500;
/** How long the first step is seen before the others, and the least that any step is seen, at normal speed. */
const FIRST = 600;
const SHORTEST = 500;

export const SPEEDS = [0.5, 1, 2, 4];

interface Options {
  /** The moment that is shown, as it stands in a link. */
  moment: () => string;
  /** Called before another moment is shown. */
  onmove: () => void;
}

export class ReplayPlayer {
  /** Step follows step by itself. */
  playing = $state(false);
  speed = $state(1);

  private timer: ReturnType<typeof setTimeout> | undefined;
  private addressTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly scene: ReplayScene,
    private readonly options: Options,
  ) {}

  /** Stop, and show a step. */
  to(step: number): void {
    this.stop();
    void this.move(step);
  }

  /** Show a step, from another viewpoint if one is given. */
  async move(step: number, viewpoint?: Viewpoint): Promise<void> {
    this.options.onmove();
    try {
      await this.scene.go(step, viewpoint);
      this.leaveAddress();
      this.addressTimer = setTimeout(() => go(`${route.path}#${this.options.moment()}`, "replace"), ADDRESS_DELAY);
    } catch (error) {
      this.stop();
      showError(error);
    }
  }

  /** Go a turn back or forth; within a turn, back means to its beginning. */
  turn(by: 1 | -1): void {
    const { turns, number, last } = this.scene;
    const next = by > 0 ? turns.find((one) => one.number > number) : turns.findLast((one) => one.number < number);
    this.to(next?.number ?? (by > 0 ? last : 0));
  }

  stop(): void {
    clearTimeout(this.timer);
    this.playing = false;
  }

  /** Play on, or stop; from the end, play from the beginning. */
  toggle(): void {
    if (this.playing) return this.stop();
    this.playing = true;
    if (this.scene.number >= this.scene.last)
      void this.move(0).then(() => (this.timer = setTimeout(() => void this.next(), FIRST)));
    else void this.next();
  }

  /** Leave the address as it is, if it has not followed yet. */
  leaveAddress(): void {
    clearTimeout(this.addressTimer);
  }

  close(): void {
    clearTimeout(this.timer);
    this.leaveAddress();
  }

  private async next(): Promise<void> {
    const { scene } = this;
    await this.move(scene.number + 1);
    const name = scene.page?.sound(scene.events);
    if (name) sound(name);
    const seen = Math.max(SHORTEST, scene.page?.pause(scene.events) ?? 0);
    if (scene.number >= scene.last) this.stop();
    else if (this.playing) this.timer = setTimeout(() => void this.next(), seen / this.speed);
  }
}
