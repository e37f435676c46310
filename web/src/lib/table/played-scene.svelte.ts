/** A scene whose steps are shown one after the other, with their sounds, in the game's own words. */
import type { GamePage, Scene } from "../../games/contract";
import { Texts } from "../text/messages";
import { Playback, type Shown } from "./playback.svelte";
import { settings } from "../device/settings.svelte";
import { play } from "../ui/sounds";
import type { Json } from "../net/protocol";

/** How many steps stay in the log for screen readers. */
const HEARD = 12;

export abstract class PlayedScene implements Scene {
  page = $state.raw<GamePage | null>(null);
  picked = $state<string | null>(null);
  protected messages = $state.raw<Texts>(new Texts("en", {}));

  /** What was shown lately, in sentences, for screen readers. */
  readonly heard: { id: string; text: string }[] = $derived.by(() =>
    this.passed.flatMap(({ id, events }) => this.tell(events).map((text, at) => ({ id: `${id}.${at}`, text }))),
  );
  private passed = $state.raw<{ id: number; events: Json[] }[]>([]);
  private steps = 0;
  /** The number of the last step that was shown. */
  protected reached = 0;

  protected readonly playback = new Playback({
    wanted: (events) => this.wanted(this.page?.pause(events) ?? 0),
    backlogLimit: () => this.backlogLimit,
    passes: (step) => this.passes(step),
    shows: (step, last) => this.shows(step, last),
    rests: () => this.rests(),
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
  /** What happened last, in a sentence. */
  abstract readonly news: string;

  abstract act(action: string, delay?: number, as?: number): void;
  abstract allViews(): Promise<Json[]>;
  /** How long something is seen that wants to be seen so long at a normal pace. */
  protected abstract wanted(ms: number): number;
  /** How long all waiting steps may take, in milliseconds. */
  protected abstract readonly backlogLimit: number;
  /** The newest step is on the screen. */
  protected abstract settle(): void;
  /** The newest step has been seen. */
  protected abstract rests(): void;
  /** The newest step is on the screen and has no sound of its own. */
  protected abstract silent(step: Shown): void;

  protected get shown(): Shown {
    return this.playback.shown;
  }

  /** The action that a hint speaks of. */
  get hinted(): string | null {
    return null;
  }

  /** There is a view, and the game's part of the page to draw it. */
  get begun(): boolean {
    return this.shown.view !== null && this.page !== null;
  }

  get view(): Json {
    return this.shown.view ?? {};
  }

  get prompt(): Json {
    return this.shown.prompt;
  }

  /** The seat whose person has to take the device first, where several share it. */
  get curtain(): number | null {
    return null;
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

  /** The newest there is has been seen. */
  get resting(): boolean {
    return this.playback.idle;
  }

  /** Do not wait: show how things stand. */
  skip(): void {
    this.playback.skip();
  }

  /** Show what comes next. */
  onward(): void {
    this.playback.onward();
  }

  /** What is worth a sentence among the events of a step, most telling first. */
  tell(events: Json[]): string[] {
    const told = this.page?.told?.(events) ?? events;
    return told.map((event) => this.texts.say(`event.${String(event["key"])}`, event)).filter((text) => text !== "");
  }

  pick(group: string | null): void {
    this.picked = this.picked === group ? null : group;
  }

  /** How things stand, with nothing to act out. */
  protected begin(now: Shown, again: "public" | "nothing" = "nothing"): void {
    this.picked = null;
    this.playback.begin(now, again);
  }

  private passes(step: Shown): void {
    this.reached = step.number;
    this.passed = [...this.passed, { id: ++this.steps, events: step.events }].slice(-HEARD);
  }

  private shows(step: Shown, last: boolean): void {
    this.picked = null;
    const sound = this.page?.sound(step.events);
    if (sound) play(sound);
    else if (last) this.silent(step);
    if (last) this.settle();
  }
}
