/** A shared replay: one viewer leads, the others follow, and may leave the lead to look around. */
import { tick } from "svelte";
import { api, Refused } from "../../../lib/net/api";
import { Connection, type ConnectionState } from "../../../lib/net/connection";
import { errorText } from "../../../lib/text/error-messages";
import { say } from "../../../lib/text/words.svelte";
import type { LedMessage, Mark, RefusedMessage, ServerMessage } from "../../../lib/net/protocol";
import { toggled } from "./marks";
import { formatMoment, type Viewpoint } from "../replay-scene.svelte";

/** What the leader shows. */
export interface Shown {
  step: number;
  eyes: Viewpoint;
  marks: readonly Mark[];
  /** The leader has a review open. */
  review: boolean;
  /** Step follows step by itself. */
  playing: boolean;
}

interface Callbacks {
  /** Show a step from a viewpoint. */
  show(step: number, eyes: Viewpoint): Promise<void>;
  /** The name of the viewer at this device. */
  name(): string;
  /** The server does not know the key any more. */
  lostLead(): void;
}

/** Something new is shown so often at most, in milliseconds: the server takes five a second. Between, the last counts. */
export const SEND_INTERVAL = 250;
/** How long to wait if that was too much all the same. */
const REST = 1_000;

/** What is shown, always written alike, so that two of them can be compared. */
function contents({ step, eyes = null, marks = [], review = false, playing = false }: LedMessage): Shown {
  const plain = marks.map(({ kind, at, to }) => (to ? { kind, at, to } : { kind, at }));
  return { step, eyes, marks: plain, review, playing };
}

export class SharedReplay {
  connectionState = $state<ConnectionState>("connecting");
  /** What all are shown, as the server told it last. */
  led = $state.raw<LedMessage | null>(null);
  /** This device leads. */
  leads = $state(false);
  /** This viewer looks around alone. */
  aside = $state(false);
  /** What is shown could not be fetched. */
  stuck = $state(false);
  /** Why the replay cannot be shared, in a sentence. */
  wrong = $state("");
  /** The leader draws on the board. */
  marking = $state(false);

  /** Marks belong to a step, and are gone with it. */
  private drawn = $state.raw<{ step: number; marks: readonly Mark[] }>({ step: -1, marks: [] });
  private readonly connection: Connection;
  /** The number of the last message on this connection. */
  private known = 0;
  /** The moment to which this viewer has followed, as in a link; empty once they look around alone. */
  private followed = "";
  private catchingUp = false;

  // Of the leader.
  private wish: Shown | null = null;
  /** What was sent last, and what of it all have not been shown yet. */
  private sent = "";
  private inFlight = "";
  private pause: ReturnType<typeof setTimeout> | undefined;
  /** It is known what was shown before: a reload goes on there. */
  private ready = false;
  private adopting = false;

  constructor(
    readonly id: string,
    readonly name: string,
    private readonly key: string | undefined,
    private readonly callbacks: Callbacks,
  ) {
    this.leads = key !== undefined;
    this.connection = new Connection(api.socketUrl(id), {
      greeting: () => ({ type: "join" }),
      message: (message) => this.receive(message),
      state: (state) => (this.connectionState = state),
      bye: () => (this.wrong = say("together.gone")),
    });
  }

  /** A leader has shown something. */
  get begun(): boolean {
    return (this.led?.number ?? 0) > 0;
  }

  /** How many others look. */
  get others(): number {
    return Math.max(0, (this.led?.looking ?? 1) - 1);
  }

  /** The marks that are to be seen on a step. */
  marksAt(step: number): readonly Mark[] {
    if (this.leads) return this.drawn.step === step ? this.drawn.marks : [];
    return !this.aside && this.led?.step === step ? (this.led.marks ?? []) : [];
  }

  /** Draw on a step, or take it away again; without a mark, wipe the board. */
  mark(step: number, mark?: Mark): void {
    this.drawn = { step, marks: mark ? toggled(this.marksAt(step), mark) : [] };
  }

  /** Look around alone; every viewer may, at any time. */
  stepAside(): void {
    if (this.leads) return;
    this.aside = true;
    this.followed = "";
  }

  /** Follow the leader again. */
  back(): void {
    this.aside = false;
    void this.catchUp();
  }

  /** Try at once what did not work. */
  retry(): void {
    this.connection.retry();
    if (this.wrong) this.subscribe();
    void this.catchUp();
  }

  /** Show this to all: now, or as soon as it can be; of several things at once, the last. */
  present(shown: Shown): void {
    this.wish = shown;
    this.push();
  }

  leave(): void {
    clearTimeout(this.pause);
    this.connection.close();
  }

  private receive(message: ServerMessage): void {
    if (message.type === "hello") this.subscribe();
    else if (message.type === "led" && message.together === this.name) this.receiveShown(message);
    else if (message.type === "refused") this.refuse(message);
  }

  /** On a new line all is asked for, and told, anew. */
  private subscribe(): void {
    this.known = 0;
    this.wrong = this.sent = this.inFlight = "";
    this.connection.send({ type: "follow", together: this.name });
    this.push();
  }

  private receiveShown(led: LedMessage): void {
    const number = led.number ?? 0;
    if (number < this.known) return;
    this.known = number;
    this.led = led;
    if (this.leads) void this.compare(led);
    else void this.catchUp();
  }

  private refuse(problem: RefusedMessage): void {
    if (problem.key === "rate") {
      this.sent = this.inFlight = "";
      this.rest(REST);
    } else if (problem.key === "not_leading") {
      this.leads = this.marking = false;
      this.callbacks.lostLead();
      void this.catchUp();
    } else this.wrong = errorText(problem);
  }

  // Following.

  private async catchUp(): Promise<void> {
    if (this.catchingUp) return;
    this.catchingUp = true;
    this.stuck = false;
    try {
      for (let to = this.due(); to !== null; to = this.due()) {
        await this.callbacks.show(to.step, to.eyes);
        this.followed = this.aside ? "" : formatMoment(to.step, to.eyes);
      }
    } catch (error) {
      this.stuck = true;
      if (!(error instanceof Refused)) throw error;
    } finally {
      this.catchingUp = false;
    }
  }

  /** What is to be shown here and is not yet. */
  private due(): Shown | null {
    if (!this.led || !this.begun || this.leads || this.aside) return null;
    const shown = contents(this.led);
    return formatMoment(shown.step, shown.eyes) === this.followed ? null : shown;
  }

  // Leading.

  private push(): void {
    if (!this.leads || !this.ready || this.adopting || this.pause || !this.key || !this.wish) return;
    const text = JSON.stringify(this.wish);
    if (text === this.sent) return;
    const { marks, ...rest } = this.wish;
    const lead = { type: "lead", together: this.name, key: this.key, name: this.callbacks.name() } as const;
    if (!this.connection.send({ ...lead, ...rest, marks: [...marks] })) return;
    this.sent = this.inFlight = text;
    this.rest(SEND_INTERVAL);
  }

  private rest(long: number): void {
    clearTimeout(this.pause);
    this.pause = setTimeout(() => {
      this.pause = undefined;
      this.push();
    }, long);
  }

  /** Compare what all are shown with what was sent. If they differ, the leader leads in another window as well. */
  private async compare(led: LedMessage): Promise<void> {
    const text = JSON.stringify(contents(led));
    if (!this.ready) {
      if (this.begun) await this.adopt(led);
      this.ready = true;
      this.sent = "";
    } else if (this.inFlight) {
      if (text === this.inFlight) this.inFlight = "";
    } else if (!led.leading) this.sent = "";
    else if (text !== this.sent) await this.adopt(led);
    this.push();
  }

  /** Go on from what is shown already. */
  private async adopt(led: LedMessage): Promise<void> {
    const { step, eyes, marks } = contents(led);
    this.adopting = true;
    try {
      this.drawn = { step, marks };
      await this.callbacks.show(step, eyes);
      await tick();
    } catch (error) {
      if (!(error instanceof Refused)) throw error; // whatever is shown next will do
    } finally {
      this.adopting = false;
    }
    this.sent = JSON.stringify(this.wish);
  }
}
