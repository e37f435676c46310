/** A live table as one person sees it: what the server told, shown step by step, and what can be done there. */
import type { GamePage, Scene } from "../games/contract";
import { api } from "./api";
import { Line, type LineState } from "./line";
import { Texts } from "./messages";
import { mine } from "./mine.svelte";
import { seatNames } from "./names";
import { notices } from "./notices.svelte";
import { reason } from "./problems";
import { settings } from "./settings.svelte";
import { play } from "./sounds";
import { gameTexts, say } from "./words.svelte";
import type {
  Act,
  Asking,
  ChatLine,
  Clock,
  HelloMessage,
  Json,
  Presence,
  RefusedMessage,
  Say,
  ServerMessage,
  Step,
  StepMessage,
  TableInfo,
} from "./wire";

/** What is on the screen: the position after some step, and how it came about. */
interface Shown {
  number: number;
  view: Json | null;
  prompt: Json;
  legal: string[];
  toAct: number[];
  asked: number;
  events: Json[];
  actor: number;
  result: Json | null;
}

const NOTHING: Shown = {
  number: 0,
  view: null,
  prompt: {},
  legal: [],
  toAct: [],
  asked: 0,
  events: [],
  actor: -1,
  result: null,
};

/** The position shown is never further behind than this. */
const BEHIND = 1_500;
const LOG = 400;
const AGAIN = 24;

export class LiveTable implements Scene {
  line = $state<LineState>("connecting");
  /** Why there is no way back: `unknown`, `token`, `moved`, ... */
  gone = $state("");
  info = $state.raw<TableInfo | null>(null);
  seat = $state<number | null>(null);
  seats = $state.raw<number[]>([]);
  host = $state(false);
  log = $state.raw<Step[]>([]);
  gap = $state(false);
  chat = $state.raw<ChatLine[]>([]);
  /** Lines of chat not looked at yet. */
  unread = $state(0);
  presence = $state.raw<Presence>({ here: [], watching: 0 });
  clocks = $state.raw<Clock[]>([]);
  asks = $state.raw<Asking | null>(null);
  canUndo = $state(false);
  page = $state.raw<GamePage | null>(null);
  picked = $state<string | null>(null);
  /** How far the server's clock is ahead of this device's. */
  ahead = $state(0);
  /** Another own seat is asked: whoever holds the device has to change (pass and play). */
  curtain = $state<number | null>(null);

  private shown = $state.raw<Shown>(NOTHING);
  private queue = $state.raw<StepMessage[]>([]);
  private pending = $state.raw<Act | null>(null);
  private messages = $state.raw<Texts>(new Texts("en", {}));
  private repeating = $state(false);
  private past: Shown[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  private socket: Line;
  private count = 0;
  /** The last number heard of. */
  private known = 0;
  private shownAt = 0;
  private heardAt = 0;

  readonly names: string[] = $derived(
    seatNames(this.info?.seats ?? [], (seat) => say("app.seat", { number: seat + 1 })),
  );
  private readonly named: Texts = $derived(this.messages.named(this.names));
  readonly texts: Texts = $derived((this.begun && this.page?.texts?.(this.named, this.view)) || this.named);

  constructor(
    readonly id: string,
    private token: string | undefined,
  ) {
    this.socket = this.connect();
  }

  private connect(): Line {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    return new Line(`${scheme}://${location.host}/api/tables/${encodeURIComponent(this.id)}/socket`, {
      greeting: () => ({ type: "join", token: this.token ?? null, seat: this.seat, last: this.known || null }),
      message: (message) => this.hear(message),
      state: (state) => (this.line = state),
      bye: ({ reason }) => {
        if (reason === "token" && this.token) mine.forget(this.id);
        this.gone = reason;
      },
    });
  }

  // What a game sees ---------------------------------------------------------------------------------------------

  get view(): Json {
    return this.shown.view ?? {};
  }

  get begun(): boolean {
    return this.shown.view !== null && this.page !== null;
  }

  get prompt(): Json {
    return this.shown.prompt;
  }

  get legal(): string[] {
    return this.settled && this.curtain === null ? this.shown.legal : [];
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

  get busy(): boolean {
    return this.pending !== null;
  }

  /** Nothing is waiting to be shown. */
  get settled(): boolean {
    return this.queue.length === 0 && !this.repeating;
  }

  /** Own seat, and asked. */
  get myTurn(): boolean {
    return this.seat !== null && this.shown.toAct.includes(this.seat);
  }

  pick(group: string | null): void {
    this.picked = this.picked === group ? null : group;
  }

  act(action: string, delay?: number): void {
    if (this.pending || !this.settled) return;
    if (this.seat === null) return notices.show(say("why.watching"));
    if (!this.socket.open) return notices.show(say("why.offline"), "bad");
    if (!this.myTurn) return notices.show(say("why.not_now"));
    this.pending = {
      type: "act",
      id: `${Date.now().toString(36)}-${++this.count}`,
      at: this.known,
      action,
      seat: this.seat,
      delay: delay ?? null,
    };
    this.socket.send(this.pending);
  }

  story(): Promise<Json[]> {
    return api.story(this.id);
  }

  // What people do beside the game -------------------------------------------------------------------------------

  /** There is a decision of one's own that can be taken back; the others may have to agree. */
  get canAsk(): boolean {
    if (this.canUndo || this.gap) return true;
    return this.log.some(({ actor, events }) => this.seats.includes(actor) && events.length > 0);
  }

  /** Own seats that a bot plays for. */
  get stoodIn(): number[] {
    const found = (this.info?.seats ?? []).filter(({ seat, stand_in }) => stand_in && this.seats.includes(seat));
    return found.map(({ seat }) => seat);
  }

  /** All people at the table are in front of this screen: nobody else has to agree. */
  get alone(): boolean {
    return (this.info?.seats ?? []).every(({ kind, seat }) => kind !== "person" || this.seats.includes(seat));
  }

  undo(): void {
    if (!this.canAsk) return notices.show(say("why.nothing"));
    if (!this.socket.send({ type: "undo", at: this.known, seat: this.seat })) notices.show(say("why.offline"), "bad");
  }

  agree(yes: boolean): void {
    if (!this.asks) return;
    const waiting = this.seats.filter((seat) => this.asks?.needed.includes(seat) && !this.asks.agreed.includes(seat));
    for (const seat of waiting) this.socket.send({ type: "agree", at: this.asks.at, yes, seat });
  }

  say(line: { text: string } | { phrase: NonNullable<Say["phrase"]> }): boolean {
    return this.socket.send({ type: "say", ...line });
  }

  /** Through another own seat's eyes. */
  look(seat: number): void {
    this.socket.send({ type: "look", seat });
  }

  retry(): void {
    this.socket.retry();
  }

  /** Take another token: somebody took a seat here. */
  enter(token: string): void {
    this.token = token;
    this.seat = null;
    this.socket.close();
    this.gone = "";
    this.known = 0;
    this.line = "connecting";
    this.socket = this.connect();
  }

  close(): void {
    clearTimeout(this.timer);
    this.socket.close();
  }

  async speak(language: "en" | "fr"): Promise<void> {
    const game = this.info?.game;
    if (game) this.messages = await gameTexts(game, language);
  }

  // Steps, one after the other ----------------------------------------------------------------------------------

  /** Do not wait: show how things stand. */
  skip(): void {
    clearTimeout(this.timer);
    if (this.repeating) {
      this.repeating = false;
      const last = this.past.at(-1);
      if (last) this.shown = { ...last, events: [] };
    }
    while (this.queue.length > 1) this.take();
    this.next();
  }

  /** Show again what happened since this person acted last. */
  again(): void {
    if (!this.canRepeat || this.past.length < 2) return;
    let from = this.past.length - 1;
    while (from > 0 && !(this.past[from - 1]?.actor === this.seat && from < this.past.length - 1)) from--;
    const steps = this.past.slice(from);
    this.repeating = true;
    const before = this.past[Math.max(0, from - 1)];
    if (before) this.shown = { ...before, events: [] };
    const next = () => {
      const step = steps.shift();
      if (!step) {
        this.repeating = false;
        return;
      }
      this.shown = step;
      this.timer = setTimeout(next, Math.max(250, this.page?.pause(step.events) ?? 0));
    };
    this.timer = setTimeout(next, 400);
  }

  get canRepeat(): boolean {
    return this.settled && this.curtain === null && this.shown.number > 0;
  }

  private next(): void {
    clearTimeout(this.timer);
    const step = this.take();
    if (!step) return;
    const sound = this.page?.sound(step.events);
    if (sound) play(sound);
    if (this.queue.length === 0) {
      if (this.myTurn && step.actor !== this.seat && !sound) play("turn");
      this.settle();
      return;
    }
    const wanted = this.calm ? 120 : (this.page?.pause(step.events) ?? 0);
    const left = Math.max(0, this.heardAt + BEHIND - Date.now());
    this.timer = setTimeout(() => this.next(), Math.min(wanted, left / this.queue.length));
  }

  private take(): StepMessage | undefined {
    const [step, ...rest] = this.queue;
    if (!step) return undefined;
    this.queue = rest;
    this.picked = null;
    this.shown = {
      number: step.number,
      view: step.view,
      prompt: step.prompt,
      legal: step.legal ?? [],
      toAct: step.to_act ?? [],
      asked: step.asked,
      events: step.events ?? [],
      actor: step.actor,
      result: step.result ?? null,
    };
    this.shownAt = Date.now();
    this.past = [...this.past, this.shown].slice(-AGAIN);
    return step;
  }

  /** All is shown: whose hand is the device to be in? */
  private settle(): void {
    const asked = this.shown.toAct.filter((seat) => this.seats.includes(seat));
    const other = asked[0];
    if (other === undefined || (this.seat !== null && asked.includes(this.seat))) this.curtain = null;
    else if (this.page?.secrets === false) this.look(other);
    else this.curtain = other;
    const status = this.shown.result ? "over" : (this.info?.status ?? "waiting");
    mine.note(this.id, { turn: asked.length > 0, status, time: Date.now() });
  }

  // What the server says ----------------------------------------------------------------------------------------

  private hear(message: ServerMessage): void {
    switch (message.type) {
      case "hello":
        void this.hello(message);
        break;
      case "step":
        this.step(message);
        break;
      case "ack":
        if (message.id === this.pending?.id) this.pending = null;
        break;
      case "refused":
        this.refused(message);
        break;
      case "table":
        this.seats = message.seats ?? [];
        this.tableIs(message.table);
        this.host = message.host ?? false;
        break;
      case "presence":
        this.presence = { here: message.here ?? [], watching: message.watching ?? 0 };
        break;
      case "chat":
        this.chat = [...this.chat, message.line].slice(-200);
        if (message.line.seat === null || !this.seats.includes(message.line.seat)) this.unread++;
        break;
      case "asks":
        if (this.asks && !message.asks && this.seats.includes(this.asks.by)) notices.show(say("play.refused"));
        this.asks = message.asks ?? null;
        break;
    }
  }

  private async hello(message: HelloMessage): Promise<void> {
    const changed = this.seat !== (message.seat ?? null);
    this.seat = message.seat ?? null;
    this.seats = message.seats ?? [];
    this.tableIs(message.table);
    this.host = message.host ?? false;
    this.ahead = (message.now ?? Date.now()) - Date.now();
    this.clocks = message.clocks ?? [];
    this.presence = { here: message.presence?.here ?? [], watching: message.presence?.watching ?? 0 };
    this.chat = message.chat ?? [];
    this.asks = message.asks ?? null;
    this.canUndo = message.undo ?? false;
    const news = message.log ?? [];
    if (changed || message.gap || this.known === 0) {
      this.log = news;
      this.gap = message.gap ?? false;
    } else {
      this.log = [...this.log, ...news.filter((step) => step.number > this.known)].slice(-LOG);
    }
    this.known = message.number ?? 0;
    clearTimeout(this.timer);
    this.queue = [];
    this.repeating = false;
    this.picked = null;
    this.shown = {
      number: message.number ?? 0,
      view: message.view ?? null,
      prompt: message.prompt ?? {},
      legal: message.legal ?? [],
      toAct: message.to_act ?? [],
      asked: message.asked,
      events: [],
      actor: -1,
      result: message.result ?? null,
    };
    this.past = [this.shown];
    if (changed && this.seat !== null && this.curtain === this.seat) this.curtain = null;
    this.settle();
    this.resend();
  }

  /** An action whose answer got lost with the line is sent again, word for word: done once, whatever happened. */
  private resend(): void {
    if (this.pending) this.socket.send(this.pending);
  }

  private step(message: StepMessage): void {
    if (message.id && message.id === this.pending?.id) this.pending = null;
    this.clocks = message.clocks ?? [];
    this.canUndo = message.undo ?? false;
    this.asks = null;
    this.known = message.number;
    this.heardAt = Date.now();
    const back = message.undone;
    const log = typeof back === "number" ? this.log.filter((step) => step.number <= back) : this.log;
    const { number, actor, time } = message;
    this.log = [...log, { number, actor, time, events: message.events ?? [] }].slice(-LOG);
    const idle = this.queue.length === 0 && !this.repeating;
    this.queue = [...this.queue, message];
    if (typeof back === "number" && !this.seats.includes(actor)) {
      notices.show(say("play.undone", { name: this.names[actor] ?? "" }));
    }
    if (typeof back === "number" || this.page?.urgent?.(message.legal ?? [])) this.skip();
    else if (idle) this.soon();
  }

  /** Show the next step once the one on the screen has been seen long enough. */
  private soon(): void {
    const pause = this.calm ? 120 : (this.page?.pause(this.shown.events) ?? 0);
    const since = Date.now() - this.shownAt;
    this.timer = setTimeout(() => this.next(), Math.max(0, Math.min(pause, BEHIND) - since));
  }

  private refused(message: RefusedMessage): void {
    const own = message.id !== undefined && message.id === this.pending?.id;
    if (own && message.key === "busy") {
      setTimeout(() => this.resend(), 800);
      return;
    }
    if (own) this.pending = null;
    const game = this.info?.game;
    notices.show(reason(message, this.texts), "bad", { rule: message.rule || undefined, ...(game ? { game } : {}) });
    if (message.key === "stale" || message.key === "ahead") this.socket.send({ type: "resync", last: this.known });
  }

  private tableIs(info: TableInfo): void {
    this.info = info;
    mine.note(this.id, { status: info.status, names: this.names, seats: this.seats, time: Date.now() });
  }
}
