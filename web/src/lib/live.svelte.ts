/** A live table as one person sees it: what the server tells of it, and what can be done there. */
import { api } from "./api";
import { affairs, type Affair } from "./affairs";
import { Errand } from "./errand.svelte";
import { Hands } from "./hands.svelte";
import { History } from "./history.svelte";
import { Line, type LineState } from "./line";
import { mine } from "./mine.svelte";
import { seatNames } from "./names";
import { notices } from "./notices.svelte";
import { PlayedScene } from "./played.svelte";
import type { Shown } from "./playback.svelte";
import { reason } from "./problems";
import { play } from "./sounds";
import { Talk } from "./talk.svelte";
import { gameTexts, say } from "./words.svelte";
import type {
  Asking,
  Clock,
  HelloMessage,
  Json,
  Presence,
  RefusedMessage,
  Say,
  ServerMessage,
  StepMessage,
  TableInfo,
} from "./wire";

export class LiveTable extends PlayedScene {
  line = $state<LineState>("connecting");
  /** Why there is no way back: `unknown`, `token`, `moved`, ... */
  gone = $state("");
  info = $state.raw<TableInfo | null>(null);
  seat = $state<number | null>(null);
  seats = $state.raw<number[]>([]);
  host = $state(false);
  presence = $state.raw<Required<Presence>>({ here: [], watching: 0, away: [] });
  clocks = $state.raw<Clock[]>([]);
  asks = $state.raw<Asking | null>(null);
  canUndo = $state(false);
  /** How far the server's clock is ahead of this device's. */
  ahead = $state(0);

  readonly history = new History();
  readonly talk = new Talk();
  private readonly hands = new Hands((seat) => this.look(seat));
  private readonly errand = new Errand((act) => void this.socket.send(act));
  private socket: Line;

  readonly names: string[] = $derived(
    seatNames(this.info?.seats ?? [], (seat) => say("app.seat", { number: seat + 1 })),
  );
  constructor(
    readonly id: string,
    private token: string | undefined,
  ) {
    super();
    this.socket = this.connect();
  }

  private connect(): Line {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    return new Line(`${scheme}://${location.host}/api/tables/${encodeURIComponent(this.id)}/socket`, {
      greeting: () => ({ type: "join", token: this.token ?? null, seat: this.seat, last: this.history.known || null }),
      message: (message) => this.hear(message),
      state: (state) => (this.line = state),
      bye: ({ reason }) => {
        if ((reason === "token" || reason === "removed") && this.token) mine.forget(this.id);
        this.gone = reason;
      },
    });
  }

  // What a game can do -------------------------------------------------------------------------------------------

  get legal(): string[] {
    return this.settled && this.curtain === null ? this.shown.legal : [];
  }

  get busy(): boolean {
    return this.seat !== null && this.errand.busy(this.seat);
  }

  /** Own seats that answer at the same time, before the screen they share. */
  get together(): number[] {
    return this.settled && this.share(this.view) ? this.toAct.filter((seat) => this.seats.includes(seat)) : [];
  }

  get gathered(): boolean {
    return this.together.length > 0 || this.hands.gathered;
  }

  private share(view: Json | null | undefined): boolean {
    return this.seats.length > 1 && !!view && (this.page?.together?.(view) ?? false);
  }

  /** Several people before one screen all read the same: there nobody is "you". */
  get reader(): number | null {
    return this.seats.length === 1 ? this.seat : null;
  }

  /** Own seat, and asked. */
  get myTurn(): boolean {
    return this.seat !== null && this.toAct.includes(this.seat);
  }

  act(action: string, delay?: number, as: number | null = this.seat): void {
    if (!this.settled) return;
    if (as === null) return notices.show(say("why.watching"));
    if (this.errand.busy(as)) return;
    if (!this.socket.open) return notices.show(say("why.offline"), "bad");
    if (!this.toAct.includes(as)) return notices.show(say("why.not_now"));
    this.errand.go(this.history.known, as, action, delay ?? null);
  }

  story(): Promise<Json[]> {
    return api.story(this.id);
  }

  get canRepeat(): boolean {
    return this.settled && this.curtain === null && this.number > 0;
  }

  /** Show again what happened since this person acted last. */
  again(): void {
    if (this.canRepeat) this.playback.again(this.seat);
  }

  protected override silent(step: Shown): void {
    if (this.myTurn && step.actor !== this.seat) play("turn");
  }

  /** Whose hand is the device to be in, and how does the table stand? */
  protected override settle(): void {
    const asked = this.toAct.filter((seat) => this.seats.includes(seat));
    this.hands.settle(asked, this.seat, this.page?.secrets !== false, this.share(this.view));
    const status = this.result ? "over" : (this.info?.status ?? "waiting");
    mine.note(this.id, { turn: asked.length > 0, status, time: Date.now() });
  }

  // What people do beside the game -------------------------------------------------------------------------------

  /** Another own seat is asked: whoever holds the device has to change (pass and play). */
  get curtain(): number | null {
    return this.together.length > 0 ? null : this.hands.curtain;
  }

  /** There is a decision of one's own that can be taken back; the others may have to agree. */
  get canAsk(): boolean {
    return this.canUndo || this.history.gap || this.history.hasDeedOf(this.seats);
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

  /** What there is to be settled about seats without their people. */
  get affairs(): Affair[] {
    return this.info ? affairs(this.info, this.presence, this.seats, this.host) : [];
  }

  undo(): void {
    if (!this.canAsk) return notices.show(say("why.nothing"));
    const sent = this.socket.send({ type: "undo", at: this.history.known, seat: this.seat });
    if (!sent) notices.show(say("why.offline"), "bad");
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
    if (seat === this.seat) this.hands.taken(seat);
    else this.socket.send({ type: "look", seat });
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
    this.history.forget();
    this.line = "connecting";
    this.socket = this.connect();
  }

  close(): void {
    this.playback.stop();
    this.socket.close();
  }

  async speak(language: "en" | "fr"): Promise<void> {
    const game = this.info?.game;
    if (game) this.messages = await gameTexts(game, language);
  }

  // What the server says ----------------------------------------------------------------------------------------

  private hear(message: ServerMessage): void {
    switch (message.type) {
      case "hello":
        this.hello(message);
        break;
      case "step":
        this.step(message);
        break;
      case "ack":
        this.errand.done(message.id);
        break;
      case "refused":
        this.refused(message);
        break;
      case "table":
        this.tableIs(message.table, message.seats, message.host);
        break;
      case "presence":
        this.present(message);
        break;
      case "chat":
        this.talk.add(message.line, message.line.seat !== null && this.seats.includes(message.line.seat));
        break;
      case "asks":
        if (this.asks && !message.asks && this.seats.includes(this.asks.by)) notices.show(say("play.refused"));
        this.asks = message.asks ?? null;
        break;
    }
  }

  private hello(message: HelloMessage): void {
    const seat = message.seat ?? null;
    const changed = this.seat !== seat;
    this.seat = seat;
    this.tableIs(message.table, message.seats, message.host);
    this.present(message.presence);
    this.ahead = (message.now ?? Date.now()) - Date.now();
    this.clocks = message.clocks ?? [];
    this.asks = message.asks ?? null;
    this.canUndo = message.undo ?? false;
    this.talk.begin(message.chat ?? []);
    this.history.begin(message.number ?? 0, message.log ?? [], message.gap ?? false, changed);
    this.begin({ ...standing(message), events: [], actor: -1 });
    if (changed) this.hands.taken(seat);
    this.settle();
    this.errand.again();
  }

  private step(message: StepMessage): void {
    this.errand.done(message.id);
    this.clocks = message.clocks ?? [];
    this.canUndo = message.undo ?? false;
    this.asks = null;
    const { number, actor, time } = message;
    this.hands.gathered = this.gathered; // also if the page came later than the question
    const happened = message.events ?? [];
    const events = (this.gathered && this.page?.inPublic?.(happened)) || happened;
    const back = message.undone ?? null;
    this.history.add({ number, actor, time, events, eased: message.eased ?? "" }, back);
    if (back !== null && !this.seats.includes(actor)) {
      notices.show(say("play.undone", { name: this.names[actor] ?? "" }));
    }
    const urgent = this.share(message.view) || (this.page?.urgent?.(message.legal ?? []) ?? false);
    this.playback.add({ ...standing(message), events, actor }, back !== null || urgent);
  }

  private refused(message: RefusedMessage): void {
    if (this.errand.is(message.id) && message.key === "busy") return this.errand.later(message.id);
    this.errand.done(message.id);
    const game = this.info?.game;
    notices.show(reason(message, this.texts), "bad", { rule: message.rule || undefined, ...(game ? { game } : {}) });
    if (message.key === "stale" || message.key === "ahead") {
      this.socket.send({ type: "resync", last: this.history.known });
    }
  }

  /** The server leaves out what is empty. */
  private present(presence: Partial<Presence> | undefined): void {
    this.presence = { here: presence?.here ?? [], watching: presence?.watching ?? 0, away: presence?.away ?? [] };
  }

  private tableIs(info: TableInfo, seats: number[] | undefined, host: boolean | undefined): void {
    this.seats = seats ?? [];
    this.host = host ?? false;
    this.info = info;
    mine.note(this.id, { status: info.status, names: this.names, seats: this.seats, time: Date.now() });
  }
}

/** How things stand, as a message has it. */
function standing(message: HelloMessage | StepMessage): Omit<Shown, "events" | "actor"> {
  return {
    number: message.number ?? 0,
    view: message.view ?? null,
    prompt: message.prompt ?? {},
    legal: message.legal ?? [],
    toAct: message.to_act ?? [],
    asked: message.asked,
    result: message.result ?? null,
  };
}
