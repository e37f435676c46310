/** A scene whose steps are shown one after the other, with their sounds, in the game's own words. */
import type { GamePage, Scene } from "../games/contract";
import { Texts } from "./messages";
import { Playback, type Shown } from "./playback.svelte";
import { settings } from "./settings.svelte";
import { play } from "./sounds";
import type { Json } from "./wire";

export abstract class PlayedScene implements Scene {
  page = $state.raw<GamePage | null>(null);
  picked = $state<string | null>(null);
  protected messages = $state.raw<Texts>(new Texts("en", {}));

  protected readonly playback = new Playback({
    pause: (events) => this.page?.pause(events) ?? 0,
    calm: () => this.calm,
    shows: (step, last) => this.shows(step, last),
  });

  private readonly named: Texts = $derived.by(() => this.messages.named(this.names).to(this.reader));
  readonly texts: Texts = $derived((this.begun && this.page?.texts?.(this.named, this.view)) || this.named);

  abstract readonly seat: number | null;
  /** Who is spoken to as "you". */
  abstract readonly reader: number | null;
  abstract readonly names: string[];
  abstract readonly legal: string[];
  abstract readonly busy: boolean;
  abstract readonly together: number[];
  abstract readonly gathered: boolean;

  abstract act(action: string, delay?: number, as?: number): void;
  abstract story(): Promise<Json[]>;
  /** The newest step is on the screen. */
  protected abstract settle(): void;
  /** The newest step is on the screen and has no sound of its own. */
  protected abstract silent(step: Shown): void;

  protected get shown(): Shown {
    return this.playback.shown;
  }

  /** There is something to see, and somebody to draw it. */
  get begun(): boolean {
    return this.shown.view !== null && this.page !== null;
  }

  get view(): Json {
    return this.shown.view ?? {};
  }

  get prompt(): Json {
    return this.shown.prompt;
  }

  get toAct(): number[] {
    return this.shown.toAct;
  }

  get asked(): number {
    return this.shown.asked;
  }

  get number(): number {
    return this.shown.number;
  }

  get events(): Json[] {
    return this.shown.events;
  }

  get actor(): number {
    return this.shown.actor;
  }

  get result(): Json | null {
    return this.shown.result;
  }

  get calm(): boolean {
    return settings.calm;
  }

  /** Nothing is waiting to be shown. */
  get settled(): boolean {
    return this.playback.settled;
  }

  /** Do not wait: show how things stand. */
  skip(): void {
    this.playback.skip();
  }

  pick(group: string | null): void {
    this.picked = this.picked === group ? null : group;
  }

  /** How things stand, with nothing to act out. */
  protected begin(now: Shown): void {
    this.picked = null;
    this.playback.begin(now);
  }

  private shows(step: Shown, last: boolean): void {
    this.picked = null;
    const sound = this.page?.sound(step.events);
    if (sound) play(sound);
    else if (last) this.silent(step);
    if (last) this.settle();
  }
}
