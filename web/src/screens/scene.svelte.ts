/** A finished game, step by step, through anybody's eyes: a scene in which nobody acts. */
import type { GamePage, Scene } from "../games/contract";
import { api, FRAMES } from "../lib/api";
import { Texts } from "../lib/messages";
import { settings } from "../lib/settings.svelte";
import type { Frame, Json } from "../lib/wire";

export class ReplayScene implements Scene {
  seat = $state<number | null>(null);
  total = $state(0);
  /** The step that is wanted; what is shown follows as soon as it is there. */
  wanted = $state(0);
  /** How the game ended; told at the last step. */
  outcome = $state.raw<Json | null>(null);
  messages = $state.raw<Texts>(new Texts("en", {}));
  page = $state.raw<GamePage | null>(null);
  names = $state.raw<string[]>([]);

  private shown = $state.raw<Frame | null>(null);
  /** Steps shown one after the other are shown as they happened; after a jump there is nothing to act out. */
  private walked = $state(false);
  private readonly chunks = new Map<string, Promise<Frame[]>>();

  private readonly named: Texts = $derived(this.messages.named(this.names));
  readonly texts: Texts = $derived((this.shown && this.page?.texts?.(this.named, this.view)) || this.named);
  readonly legal: string[] = [];
  readonly toAct: number[] = [];
  readonly asked = 0;
  readonly together: number[] = [];
  readonly gathered = false;
  readonly prompt: Json = {};
  readonly busy = false;
  readonly picked = null;

  constructor(readonly id: string) {}

  get ready(): boolean {
    return this.shown !== null;
  }

  get last(): number {
    return Math.max(0, this.total - 1);
  }

  get view(): Json {
    return this.shown?.view ?? {};
  }

  get number(): number {
    return this.shown?.number ?? 0;
  }

  get actor(): number {
    return this.shown?.actor ?? -1;
  }

  /** What happened in this step, whether or not it is acted out. */
  get happened(): Json[] {
    return this.shown?.events ?? [];
  }

  get events(): Json[] {
    return this.walked ? this.happened : [];
  }

  get result(): Json | null {
    return this.shown && this.number === this.last ? this.outcome : null;
  }

  get calm(): boolean {
    return settings.calm;
  }

  pick(): void {
    // nothing can be picked in what is over
  }

  act(): void {
    // nor done
  }

  story(): Promise<Json[]> {
    return api.story(this.id);
  }

  async go(to: number, seat: number | null = this.seat): Promise<void> {
    const target = Math.min(Math.max(0, to), this.last);
    this.wanted = target;
    const frames = await this.chunk(Math.floor(target / FRAMES), seat);
    if (this.wanted !== target) return; // somebody scrubbed on meanwhile
    const frame = frames[target % FRAMES];
    if (!frame) return;
    this.walked = seat === this.seat && frame.number === this.number + 1;
    this.seat = seat;
    this.shown = frame;
    if (target % FRAMES > FRAMES / 2 && target + FRAMES < this.total) this.ahead(Math.floor(target / FRAMES) + 1, seat);
  }

  private ahead(number: number, seat: number | null): void {
    this.chunk(number, seat).catch(() => undefined);
  }

  private chunk(number: number, seat: number | null): Promise<Frame[]> {
    const key = `${seat} ${number}`;
    let found = this.chunks.get(key);
    if (!found) {
      found = api.replay(this.id, seat, number * FRAMES, FRAMES).then((part) => {
        this.total = part.total;
        return part.frames ?? [];
      });
      found.catch(() => this.chunks.delete(key));
      this.chunks.set(key, found);
    }
    return found;
  }
}
