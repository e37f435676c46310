/** A finished game, step by step, through anybody's eyes: a scene in which nobody acts. */
import type { GamePage, Scene } from "../../games/contract";
import { FRAMES, story } from "../../lib/net/replay-pages";
import { Texts } from "../../lib/text/messages";
import { settings } from "../../lib/device/settings.svelte";
import type { Frame, Json, Turn } from "../../lib/net/protocol";
import { merged, type Eyes, type Moment } from "./viewpoint";
import type { Source } from "./replay-source";

export type { Eyes };

export class ReplayScene implements Scene {
  eyes = $state<Eyes>(null);
  /** The seat of whoever looks at the replay, who is spoken to as "you" whatever eyes they look through. */
  reader = $state<number | null>(null);
  total = $state(0);
  /** The step that is wanted; what is shown follows as soon as it is there. */
  wanted = $state(0);
  /** How the game ended; told at the last step. */
  outcome = $state.raw<Json | null>(null);
  messages = $state.raw<Texts>(new Texts("en", {}));
  page = $state.raw<GamePage | null>(null);
  names = $state.raw<string[]>([]);
  /** Where turns begin, first the beginning of all. */
  turns = $state.raw<Turn[]>([]);

  /** The eyes that are wanted: whoever goes on before they have opened still looks through them. */
  looking = $state.raw<Eyes>(null);
  private shown = $state.raw<Moment | null>(null);
  /** Steps shown one after the other are shown as they happened; after a jump there is nothing to act out. */
  private walked = $state(false);
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

  constructor(readonly source: Source) {}

  get seat(): number | null {
    return typeof this.eyes === "number" ? this.eyes : null;
  }

  get ready(): boolean {
    return this.shown !== null;
  }

  get last(): number {
    return Math.max(0, this.total - 1);
  }

  /** The step that is shown, as these eyes see it. */
  get now(): Moment | null {
    return this.shown;
  }

  get view(): Json {
    return this.shown?.view ?? {};
  }

  /** What each seat sees, if all eyes look. */
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
    return story((first, count) => this.source.replay(null, first, count));
  }

  async go(to: number, eyes: Eyes = this.looking): Promise<void> {
    const target = Math.min(Math.max(0, to), this.last);
    this.wanted = target;
    this.looking = eyes;
    const moment = await this.moment(target, eyes).catch((error: unknown) => {
      if (this.looking === eyes) this.looking = this.eyes;
      throw error;
    });
    if (this.wanted !== target || this.looking !== eyes || !moment) return; // somebody scrubbed on meanwhile
    this.walked = eyes === this.eyes && moment.number === this.number + 1;
    this.eyes = eyes;
    this.shown = moment;
    if (target % FRAMES > FRAMES / 2 && target + FRAMES < this.total) this.ahead(target + FRAMES, eyes);
  }

  /** What happens in a step, through the eyes that look now. */
  async happens(at: number): Promise<Json[]> {
    return (await this.moment(at, this.eyes))?.events ?? [];
  }

  /** The whole game, through the eyes that look now. */
  async whole(): Promise<Moment[]> {
    const { eyes } = this;
    const found: Moment[] = [];
    for (let at = 0; at <= this.last; at++) {
      const moment = await this.moment(at, eyes);
      if (moment) found.push(moment);
    }
    return found;
  }

  private async moment(at: number, eyes: Eyes): Promise<Moment | undefined> {
    const seats = eyes === "all" ? this.names.map((_, seat) => seat) : [];
    const [frame, ...others] = await Promise.all([
      this.frame(at, eyes === "all" ? null : eyes),
      ...seats.map((seat) => this.frame(at, seat)),
    ]);
    return frame && merged([frame, ...others.filter((other) => other !== undefined)], eyes);
  }

  private ahead(at: number, eyes: Eyes): void {
    this.moment(at, eyes).catch(() => undefined);
  }

  private async frame(at: number, seat: number | null): Promise<Frame | undefined> {
    return (await this.chunk(Math.floor(at / FRAMES), seat))[at % FRAMES];
  }

  private chunk(number: number, seat: number | null): Promise<Frame[]> {
    const key = `${seat} ${number}`;
    let found = this.chunks.get(key);
    if (!found) {
      found = this.source.replay(seat, number * FRAMES, FRAMES).then((part) => {
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

/** A moment and the eyes as they stand behind the `#` of a link: `12`, `12.2` for the second seat, `12.all`. */
export function written(number: number, eyes: Eyes): string {
  return eyes === null ? String(number) : `${number}.${eyes === "all" ? "all" : eyes + 1}`;
}

/** The same read; null for anything else. A seat that is not there is nobody. */
export function readLink(hash: string, seats: number): { number: number; eyes: Eyes } | null {
  const found = /^(\d{1,6})(?:\.(\d|all))?$/.exec(hash);
  if (!found) return null;
  const [, number, who] = found;
  const seat = Number(who) - 1;
  return { number: Number(number), eyes: who === "all" ? "all" : seat >= 0 && seat < seats ? seat : null };
}
