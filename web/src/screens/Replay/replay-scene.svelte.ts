/** A finished game, step by step, from any viewpoint: a scene without actions. */
import type { GamePage, Scene } from "../../games/contract";
import { PAGE_SIZE, fetchViews } from "../../lib/net/replay-pages";
import { Texts } from "../../lib/text/messages";
import { settings } from "../../lib/device/settings.svelte";
import type { Frame, Json, Turn } from "../../lib/net/protocol";
import { merged, type Viewpoint, type Moment } from "./viewpoint";
import type { ReplaySource } from "./replay-source";

export type { Viewpoint };

export class ReplayScene implements Scene {
  viewpoint = $state<Viewpoint>(null);
  /** The viewer's own seat, which is addressed as "you" from every viewpoint. */
  reader = $state<number | null>(null);
  total = $state(0);
  /** The step that is wanted; what is shown follows as soon as it is there. */
  wantedStep = $state(0);
  /** How the game ended; told at the last step. */
  outcome = $state.raw<Json | null>(null);
  messages = $state.raw<Texts>(new Texts("en", {}));
  page = $state.raw<GamePage | null>(null);
  names = $state.raw<string[]>([]);
  /** Where turns begin, first the beginning of all. */
  turns = $state.raw<Turn[]>([]);

  /** The selected viewpoint; what is shown follows once it has been loaded. */
  wantedViewpoint = $state.raw<Viewpoint>(null);
  private shown = $state.raw<Moment | null>(null);
  /** Steps shown one after the other are shown as they happened; after a jump there is nothing to act out. */
  private steppedForward = $state(false);
  private readonly chunks = new Map<string, Promise<Frame[]>>();

  private readonly named: Texts = $derived(this.messages.named(this.names).to(this.reader));
  readonly texts: Texts = $derived((this.shown && this.page?.texts?.(this.named, this.view)) || this.named);
  readonly legal: string[] = [];
  readonly toAct: number[] = [];
  readonly asked = 0;
  readonly together: number[] = [];
  readonly prompt: Json = {};
  readonly busy = false;
  readonly picked = null;

  constructor(readonly source: ReplaySource) {}

  get seat(): number | null {
    return typeof this.viewpoint === "number" ? this.viewpoint : null;
  }

  get ready(): boolean {
    return this.shown !== null;
  }

  get last(): number {
    return Math.max(0, this.total - 1);
  }

  /** The step that is shown, from the current viewpoint. */
  get now(): Moment | null {
    return this.shown;
  }

  get view(): Json {
    return this.shown?.view ?? {};
  }

  /** What each seat sees, if all hands are open. */
  get views(): Json[] {
    return this.shown?.views ?? [];
  }

  get number(): number {
    return this.shown?.number ?? 0;
  }

  /** The turn that is shown, as its place in `turns`. */
  get turn(): number {
    return this.turns.findLastIndex(({ number }) => number <= this.number);
  }

  get actor(): number {
    return this.shown?.actor ?? -1;
  }

  /** What happened in this step, whether or not it is acted out. */
  get happened(): Json[] {
    return this.shown?.events ?? [];
  }

  get events(): Json[] {
    return this.steppedForward ? this.happened : [];
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

  allViews(): Promise<Json[]> {
    return fetchViews((first, count) => this.source.replay(null, first, count));
  }

  async go(to: number, viewpoint: Viewpoint = this.wantedViewpoint): Promise<void> {
    const target = Math.min(Math.max(0, to), this.last);
    this.wantedStep = target;
    this.wantedViewpoint = viewpoint;
    const moment = await this.moment(target, viewpoint).catch((error: unknown) => {
      if (this.wantedViewpoint === viewpoint) this.wantedViewpoint = this.viewpoint;
      throw error;
    });
    if (this.wantedStep !== target || this.wantedViewpoint !== viewpoint || !moment) return; // another step was selected meanwhile
    this.steppedForward = viewpoint === this.viewpoint && moment.number === this.number + 1;
    this.viewpoint = viewpoint;
    this.shown = moment;
    if (target % PAGE_SIZE > PAGE_SIZE / 2 && target + PAGE_SIZE < this.total)
      this.prefetch(target + PAGE_SIZE, viewpoint);
  }

  /** The events of a step, from the current viewpoint. */
  async eventsOf(at: number): Promise<Json[]> {
    return (await this.moment(at, this.viewpoint))?.events ?? [];
  }

  /** The whole game, from the current viewpoint. */
  async allMoments(): Promise<Moment[]> {
    const { viewpoint } = this;
    const found: Moment[] = [];
    for (let at = 0; at <= this.last; at++) {
      const moment = await this.moment(at, viewpoint);
      if (moment) found.push(moment);
    }
    return found;
  }

  private async moment(at: number, viewpoint: Viewpoint): Promise<Moment | undefined> {
    const seats = viewpoint === "all" ? this.names.map((_, seat) => seat) : [];
    const [frame, ...others] = await Promise.all([
      this.frame(at, viewpoint === "all" ? null : viewpoint),
      ...seats.map((seat) => this.frame(at, seat)),
    ]);
    return frame && merged([frame, ...others.filter((other) => other !== undefined)], viewpoint);
  }

  private prefetch(at: number, viewpoint: Viewpoint): void {
    this.moment(at, viewpoint).catch(() => undefined);
  }

  private async frame(at: number, seat: number | null): Promise<Frame | undefined> {
    return (await this.chunk(Math.floor(at / PAGE_SIZE), seat))[at % PAGE_SIZE];
  }

  private chunk(number: number, seat: number | null): Promise<Frame[]> {
    const key = `${seat} ${number}`;
    let found = this.chunks.get(key);
    if (!found) {
      found = this.source.replay(seat, number * PAGE_SIZE, PAGE_SIZE).then((part) => {
        this.total = part.total;
        if (number === 0) this.turns = fromTheStart(part.turns ?? []);
        return part.frames ?? [];
      });
      found.catch(() => this.chunks.delete(key));
      this.chunks.set(key, found);
    }
    return found;
  }
}

/** One can always go back to the beginning, also where no turn begins there. */
function fromTheStart(turns: Turn[]): Turn[] {
  return turns[0]?.number === 0 ? turns : [{ number: 0, seat: -1 }, ...turns];
}

/** A step and a viewpoint as they stand behind the `#` of a link: `12`, `12.2` for the second seat, `12.all`. */
export function formatMoment(number: number, viewpoint: Viewpoint): string {
  return viewpoint === null ? String(number) : `${number}.${viewpoint === "all" ? "all" : viewpoint + 1}`;
}

/** Read such a moment; null for anything else. A seat that does not exist means the public view. */
export function parseMoment(hash: string, seats: number): { number: number; viewpoint: Viewpoint } | null {
  const found = /^(\d{1,6})(?:\.(\d|all))?$/.exec(hash);
  if (!found) return null;
  const [, number, who] = found;
  const seat = Number(who) - 1;
  return { number: Number(number), viewpoint: who === "all" ? "all" : seat >= 0 && seat < seats ? seat : null };
}
