/** A live table as one person sees it: what the server tells of it, and what can be done there. */
import { LONGEST_S } from "../net/retry";
import { api } from "../net/api";
import { affairs, type Affair } from "./absent-seats";
import { Errand } from "../net/pending-actions.svelte";
import { keep } from "../results/save-result";
import { guide } from "../learn/guide.svelte";
import { Hands } from "./pass-and-play.svelte";
import { Hints, inSentences } from "./hints.svelte";
import { History } from "./history.svelte";
import { Line, type LineState } from "../net/connection";
import { isLocal } from "../device/local-tables";
import { mine } from "../device/my-tables.svelte";
import { seatNames } from "../text/seat-names";
import { notices } from "../ui/notices.svelte";
import { paced } from "./pace";
import type { Choice, GamePage } from "../../games/contract";
import { localLine } from "../../offline/local-socket";
import { Pulls } from "./tie-break";
import { PlayedScene } from "./played-scene.svelte";
import type { Shown } from "./playback.svelte";
import { reason } from "../text/error-messages";
import { settings } from "../device/settings.svelte";
import { slowed } from "../net/rate-limit-waits.svelte";
import { story } from "../net/replay-pages";
import { play } from "../ui/sounds";
import { Talk } from "./chat.svelte";
import { gameTexts, say } from "../text/words.svelte";
import type {
  Asking,
  Clock,
  Contest,
  HelloMessage,
  HintedMessage,
  Json,
  Moment,
  Presence,
  RefusedMessage,
  Say,
  Series,
  ServerMessage,
  Step,
  StepMessage,
  TableInfo,
} from "../net/protocol";

/** How long what happened may keep somebody waiting, and somebody whose time runs. */
const PATIENCE = 30_000;
const HURRY = 3_000;
/** The only answer is given after a moment, unlike another each time: its length tells nobody that it was the only one. */
const MOMENT = 1_500;
const MOMENTS = 3_000;
/** How long to wait before other eyes are asked for once more. */
const LATER = 1_000;

/** What a server has too much of that ends a connection for some time, as in `slowed`. */
const CROWDED: { readonly [reason: string]: string } = { full: "connections", rate: "messages" };

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
  /** Arm wrestling for a first place that several share. */
  contest = $state.raw<Contest | null>(null);
  /** The games before this one, and this one once it is over: who has won what. */
  series = $state.raw<Series | null>(null);
  /** The taps of the others in a round that is on, by seat. */
  pulled = $state.raw<{ [seat: number]: number }>({});
  /** How far the server's clock is ahead of this device's. */
  ahead = $state(0);

  readonly history = new History();
  readonly talk = new Talk();
  readonly pulls = new Pulls((message) => this.socket.send(message));
  private readonly hands = new Hands((seat) => this.look(seat));
  readonly hints = new Hints((rank) =>
    this.socket.send({ type: "hint", at: this.history.known, seat: this.seat, rank }),
  );
  private readonly errand = new Errand((act) => void this.socket.send(act));
  private socket: Line;
  /** A device that several people share shows what everybody may see, until one of them takes it. */
  private wants: number | null = null;
  /** The server was asked for other eyes. Whose eyes see what comes before its answer nobody knows; the answer has it. */
  private looking = $state(false);
  private lookAgain: ReturnType<typeof setTimeout> | undefined;
  private obvious: ReturnType<typeof setTimeout> | undefined;
  /** Something was taken back: what was obvious then is not any more. */
  private pondering = false;

  readonly names: string[] = $derived(
    seatNames(this.info?.seats ?? [], (seat) => say("app.seat", { number: seat + 1 })),
  );
  constructor(
    readonly id: string,
    private token: string | undefined,
  ) {
    super();
    this.playback.hold();
    this.socket = this.connect();
  }

  private connect(): Line {
    return new Line(isLocal(this.id) ? () => localLine(this.id) : api.socketUrl(this.id), {
      greeting: () => {
        const known = this.history.known;
        return { type: "join", token: this.token ?? null, seat: this.seat, last: known || null, opening: !known };
      },
      message: (message) => this.hear(message),
      state: (state) => (this.line = state),
      bye: ({ reason }) => {
        if ((reason === "token" || reason === "removed") && this.token) mine.forget(this.id);
        this.gone = reason;
      },
      later: ({ reason, seconds }) => void slowed.wait({ key: CROWDED[reason] ?? "busy" }, seconds ?? 1),
    });
  }

  // What a game can do -------------------------------------------------------------------------------------------

  get legal(): string[] {
    return this.settled && !this.looking && this.curtain === null && !this.foregone ? this.shown.legal : [];
  }

  override get prompt(): Json {
    return this.foregone ? {} : super.prompt;
  }

  /** Only bots wait for the only answer: it is given as soon as all has been seen, and not asked for before. */
  private get foregone(): boolean {
    const { legal } = this.shown;
    if (!settings.obvious || legal.length !== 1 || !this.settled || this.resting) return false;
    return this.alone && this.seats.length === 1 && !this.pondering && !this.page?.urgent?.(legal);
  }

  /** The newest there is has been seen, and whose eyes see what comes next is known. */
  override get resting(): boolean {
    return super.resting && !this.looking;
  }

  get busy(): boolean {
    return this.seat !== null && this.errand.busy(this.seat);
  }

  /** Own seats that answer at the same time, before the screen they share. */
  get together(): number[] {
    return this.settled && !this.looking && this.unites(this.view) ? this.asksMe : [];
  }

  /** Whether those who share this device answer together what is asked here. */
  private unites(view: Json | null | undefined): boolean {
    return this.seats.length > 1 && !!view && (this.page?.together?.(view) ?? false);
  }

  /** Several people before one screen all read the same: there nobody is "you". */
  get reader(): number | null {
    return this.seats.length === 1 ? this.seat : null;
  }

  /** There are days for a move, and others are elsewhere: nobody need be here, and the server can call. */
  get days(): boolean {
    return this.info?.timer.kind === "days" && !isLocal(this.id);
  }

  /** Own seat, and asked. */
  get myTurn(): boolean {
    return this.seat !== null && this.toAct.includes(this.seat);
  }

  act(action: string, delay?: number, as: number | null = this.seat): void {
    if (!this.settled || this.looking || (as !== null && this.errand.busy(as))) return;
    notices.clear();
    this.pondering = false;
    if (as === null) return notices.show(say("why.watching"));
    if (!this.socket.open) return notices.show(say("why.offline"), "bad");
    if (!this.toAct.includes(as)) return notices.show(say("why.not_now"));
    this.errand.go(this.history.known, as, action, delay ?? null);
  }

  story(): Promise<Json[]> {
    return story((first, count) => api.replay(this.id, null, first, count));
  }

  /** What happened last, in a sentence. */
  get news(): string {
    for (const step of this.history.steps.toReversed()) {
      const [first] = step.number <= this.number ? this.tell(step.events ?? []) : [];
      if (first !== undefined) return first;
    }
    return "";
  }

  /** Nobody has finished a game of this kind on this device. */
  get first(): boolean {
    return !mine.hasFinished(this.info?.game, this.id);
  }

  /** Several people share this device, and know different things. */
  get shared(): boolean {
    return this.seats.length > 1 && this.page?.secrets !== false;
  }

  protected override wanted(ms: number): number {
    return paced(settings.pace, this.first, ms);
  }

  protected override get patience(): number {
    const runs = this.clocks.some(({ seat }) => this.seats.includes(seat)) && this.info?.timer?.kind === "turn";
    return settings.pace === "click" ? Infinity : runs ? HURRY : PATIENCE;
  }

  get canRepeat(): boolean {
    return this.settled && !this.looking && this.curtain === null && this.number > 0;
  }

  /** Show again what happened since this person acted last. */
  again(): void {
    if (this.canRepeat) this.playback.again(this.seat);
  }

  protected override silent(step: Shown): void {
    if (this.myTurn && step.actor !== this.seat) play("turn");
  }

  /** How does the table stand? */
  protected override settle(): void {
    const status = this.result ? "over" : (this.info?.status ?? "waiting");
    mine.note(this.id, { turn: this.asksMe.length > 0, status, time: Date.now() });
  }

  /** Whose hand is the device to be in? And is there only one answer? */
  protected override rests(): void {
    if (!this.page || this.looking) return;
    this.hands.settle(this.asksMe, this.seat, this.page.secrets !== false, this.unites(this.view));
    this.answerTheObvious();
    this.keepTheEnd();
  }

  /** Somebody alone with bots who has never finished such a game, and has not said that they know it. */
  get guided(): boolean {
    return this.alone && this.seats.length === 1 && guide.wanted(this.info?.game ?? "", this.id);
  }

  /** How it ended is for the list of one's games, and for the record. */
  private keepTheEnd(): void {
    const { info, page, result, seats } = this;
    if (!info || !page || !result) return;
    const { lasted } = this.history;
    const time = this.history.steps.at(-1)?.time ?? Date.now();
    keep(info, seats, result, page, { time, lasted, guided: this.guided });
  }

  /** Own seats that are asked. */
  private get asksMe(): number[] {
    return this.toAct.filter((seat) => this.seats.includes(seat));
  }

  /** Where there is only one answer it is given: at once if only bots wait for it, else after a moment. */
  private answerTheObvious(): void {
    clearTimeout(this.obvious);
    const [only, ...others] = this.legal;
    if (!settings.obvious || this.pondering || only === undefined || others.length > 0) return;
    if (this.page?.urgent?.(this.legal)) return;
    const { asked } = this;
    const answer = () => {
      if (this.asked === asked && this.legal[0] === only && this.legal.length === 1) this.act(only);
    };
    if (this.alone && this.seats.length === 1) answer();
    else this.obvious = setTimeout(answer, MOMENT + Math.random() * MOMENTS);
  }

  // What people do beside the game -------------------------------------------------------------------------------

  /** Another own seat is asked: whoever holds the device has to change (pass and play). First all see what happened. */
  override get curtain(): number | null {
    return this.together.length > 0 || !this.playback.idle ? null : this.hands.curtain;
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
    const left = mine.wayBack(this.id)?.seats ?? [];
    return this.info ? affairs(this.info, this.presence, this.seats, this.host, left) : [];
  }

  /** What would be taken back. */
  get undoes(): string {
    return this.deed(this.seats);
  }

  /** Everybody else is a bot, and the table has hints. */
  get hasHints(): boolean {
    const others = (this.info?.seats ?? []).filter(({ seat }) => seat !== this.seat);
    return this.info?.hints !== false && this.seats.length === 1 && others.every(({ kind }) => kind === "bot");
  }

  /** There is something to be advised about; where everybody has to be quick, no hint is quicker. */
  get canHint(): boolean {
    return this.hasHints && this.legal.length > 0 && !this.page?.urgent?.(this.legal);
  }

  override get hinted(): string | null {
    return this.hints.found?.idea.action ?? null;
  }

  /** What the hint says, in sentences. */
  get advice(): string[] {
    const hint = this.hints.found;
    return hint && this.page ? inSentences(hint, this.texts, (action) => this.choice(action)?.label ?? action) : [];
  }

  /** A choice by its action; of several the plainest, which comes last. */
  private choice(action: string): Choice | undefined {
    return this.page?.choices(this).choices.findLast((one) => one.action === action);
  }

  hint(): void {
    if (!this.hasHints) return notices.show(say(this.info?.hints === false ? "why.no_hints" : "why.hints_alone"));
    if (!this.canHint) return notices.show(say("why.not_asked"));
    this.hints.ask();
    if (!this.hints.busy) notices.show(say("why.offline"), "bad");
  }

  /** A hint has come: what it is about is picked, so that one step is left. */
  private advised(hint: HintedMessage): void {
    this.hints.come(hint);
    this.picked = this.choice(hint.idea.action)?.group ?? null;
  }

  undo(): void {
    if (this.info?.challenge) return notices.show(say("why.challenge_undo"));
    if (!this.canAsk) return notices.show(say("why.nothing"));
    const sent = this.socket.send({ type: "undo", at: this.history.known, seat: this.seat });
    if (!sent) notices.show(say("why.offline"), "bad");
  }

  agree(yes: boolean): void {
    if (!this.asks) return;
    const waiting = this.seats.filter((seat) => this.asks?.needed.includes(seat) && !this.asks.agreed.includes(seat));
    for (const seat of waiting) this.socket.send({ type: "agree", at: this.asks.at, yes, seat });
  }

  /** Own seats that share the first place. */
  get wrestlers(): number[] {
    const tied = this.contest?.pullers ?? [];
    return tied.filter(({ seat, level }) => !level && this.seats.includes(seat)).map(({ seat }) => seat);
  }

  /** Whether a seat wants to arm wrestle. */
  wrestle(seat: number, yes: boolean): void {
    if (!this.socket.send({ type: "wrestle", yes, seat })) notices.show(say("why.offline"), "bad");
  }

  say(line: { text: string } | { phrase: NonNullable<Say["phrase"]> }): boolean {
    return this.socket.send({ type: "say", ...line });
  }

  /** Through another own seat's eyes; with null, what everybody may see. */
  look(seat: number | null): void {
    this.wants = seat;
    this.looking = true;
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
    this.history.forget();
    this.line = "connecting";
    this.socket = this.connect();
  }

  /** The game's part of the page is there. */
  open(page: GamePage): void {
    this.page = page;
    this.playback.release();
    if (this.resting) this.rests();
  }

  close(): void {
    clearTimeout(this.obvious);
    clearTimeout(this.lookAgain);
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
      case "hinted":
        this.advised(message);
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
      case "contest":
        this.wrestling(message.contest, message.now);
        break;
      case "pulls":
        this.tapped(message.round, message.counts);
        break;
    }
  }

  private hello(message: HelloMessage): void {
    this.hints.forget();
    const seat = message.seat ?? null;
    this.tableIs(message.table, message.seats, message.host);
    this.wrestling(message.contest ?? null, message.now ?? 0);
    this.series = message.series ?? message.table.series ?? null;
    if (this.shared && seat !== this.wants && message.table.status !== "waiting") return this.look(this.wants);
    clearTimeout(this.lookAgain);
    const changed = this.seat !== seat;
    const first = this.history.known === 0;
    this.looking = false;
    this.seat = seat;
    this.present(message.presence);
    this.ahead = (message.now ?? Date.now()) - Date.now();
    this.clocks = message.clocks ?? [];
    this.asks = message.asks ?? null;
    this.canUndo = message.undo ?? false;
    this.talk.begin(message.chat ?? []);
    this.history.begin(message.number ?? 0, message.log ?? [], message.gap ?? false, changed);
    this.show(message, seat, first, changed);
    if (changed) this.hands.taken(seat);
    this.settle();
    this.errand.again();
    if (this.resting) this.rests();
  }

  /** How things stand, and before that whatever led there that nobody here has seen. */
  private show(message: HelloMessage, eyes: number | null, first: boolean, changed: boolean): void {
    const now = { ...standing(message), events: [], actor: -1, eyes };
    const [start, ...opening] = first && this.seats.length < 2 ? (message.opening ?? []) : [];
    if (start && opening.length > 0) {
      this.begin(moment(start, eyes));
      for (const one of opening.slice(0, -1)) this.playback.add(moment(one, eyes), false);
      const { events, actor } = opening.at(-1) ?? start;
      this.playback.add({ ...now, events, actor }, false);
      return;
    }
    const unseen = this.unseen(message, first);
    const waits = unseen.length > 0 || this.number === now.number;
    const stays = this.seats.length > 1 && !changed && !this.playback.idle && waits;
    if (stays)
      this.playback.forget(); // what is on the screen is there for its time; what waited is unseen
    else this.begin(now, this.shared ? "public" : "nothing");
    for (const [at, { number, events, actor }] of unseen.entries()) {
      this.playback.add({ ...now, number, events, actor }, at === 0 && !stays);
    }
    if (!stays && unseen.length === 0) this.reached = now.number;
  }

  /** Several people at one device are shown every step, whoever looks when it comes: the opening, what happened while
   * the device went from one hand to the next, or while the line was down. Whoever is alone finds how things stand.
   */
  private unseen(message: HelloMessage, first: boolean): Step[] {
    const log = this.seats.length > 1 ? (message.log ?? []) : [];
    const here = first && log.some(({ actor }) => this.seats.includes(actor)); // they saw it before they came back
    return here ? [] : log.filter(({ number }) => number > this.reached);
  }

  private step(message: StepMessage): void {
    this.hints.forget();
    this.errand.done(message.id);
    clearTimeout(this.obvious);
    if (this.seats.includes(message.actor)) notices.clear();
    this.clocks = message.clocks ?? [];
    this.canUndo = message.undo ?? false;
    this.asks = null;
    if (message.contest) this.wrestling(message.contest, 0);
    if (message.series) this.series = message.series;
    const { number, actor, time } = message;
    const events = message.events ?? [];
    const back = message.undone ?? null;
    if (back !== null) this.takenBack(actor, back);
    if (this.looking) return;
    this.history.add({ number, actor, time, events, eased: message.eased ?? "", late: message.late ?? false }, back);
    const unites = this.unites(message.view);
    const done = this.seat !== null && !(message.to_act ?? []).includes(this.seat);
    if (this.shared && this.seat !== null && (done || unites)) return this.look(null);
    const same = this.legal.length > 0 && message.asked === this.asked; // others answer, and one's own question stays
    const urgent = same || unites || (this.page?.urgent?.(message.legal ?? []) ?? false);
    this.playback.add({ ...standing(message), events, actor, eyes: this.seat }, back !== null || urgent);
  }

  /** All after number `back` is taken back, because `actor` wanted it. */
  private takenBack(actor: number, back: number): void {
    this.pondering = true;
    const own = this.seats.includes(actor);
    const what = this.deed([actor], back);
    notices.show(own ? say("play.taken_back", { what }) : say("play.undone", { name: this.names[actor] ?? "", what }));
  }

  /** The last thing, after a number, that one of these seats did and that was seen: in a sentence. */
  private deed(seats: number[], after = 0): string {
    const steps = this.history.steps.filter(({ number, actor }) => number > after && seats.includes(actor));
    const told = steps.toReversed().map(({ events }) => this.tell(events)[0] ?? "");
    return told.find((text) => text !== "") ?? "";
  }

  private refused(message: RefusedMessage): void {
    if (this.looking && !message.id) this.unanswered(message.key);
    if (this.errand.is(message.id) && message.key === "busy") return this.errand.later(message.id);
    const seconds = Number(message.params?.["seconds"] ?? 0);
    if (this.errand.is(message.id) && message.key === "rate" && seconds <= LONGEST_S)
      return void slowed.wait(message, seconds || 1).then(() => this.errand.later(message.id));
    this.errand.done(message.id);
    if (!message.id) this.hints.busy = false;
    const game = this.info?.game;
    notices.show(reason(message, this.texts), "bad", { rule: message.rule || undefined, ...(game ? { game } : {}) });
    if (message.key === "stale" || message.key === "ahead") {
      this.socket.send({ type: "resync", last: this.history.known });
    }
  }

  /** The server does not show what other eyes see: not now, if it has been asked too often, else not at all. */
  private unanswered(key = ""): void {
    clearTimeout(this.lookAgain);
    if (key === "rate") this.lookAgain = setTimeout(() => this.look(this.wants), LATER);
    else this.looking = false;
  }

  /** How the arm wrestling stands, and the server's clock. */
  private wrestling(contest: Contest | null, now: number): void {
    if (contest) this.pulls.hear(contest, now, performance.now());
    this.contest = contest;
    this.tapped(contest?.round ?? 0, contest?.pullers.map(({ count }) => count ?? 0) ?? []);
  }

  private tapped(round: number, counts: number[]): void {
    if (round !== (this.contest?.round ?? 0)) return;
    this.pulled = Object.fromEntries(this.contest?.pullers.map(({ seat }, at) => [seat, counts[at] ?? 0]) ?? []);
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
function standing(message: HelloMessage | StepMessage): Omit<Shown, "events" | "actor" | "eyes"> {
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

/** How things stood after a step of the opening. */
function moment(one: Moment, eyes: number | null): Shown {
  const { number, view, prompt, to_act: toAct, events, actor } = one;
  return { number, view, prompt, legal: [], toAct, asked: 0, events, actor, result: null, eyes };
}
