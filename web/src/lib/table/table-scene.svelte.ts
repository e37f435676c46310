/** A table as the server has described it, and what follows from that for the people at this device. Sends nothing. */
import { guide } from "../learn/guide.svelte";
import { isLocal } from "../device/local-tables";
import { myTables } from "../device/my-tables.svelte";
import { settings } from "../device/settings.svelte";
import type { Asking, Clock, HelloMessage, Json, Presence, Series, StepMessage, TableInfo } from "../net/protocol";
import { seatNames } from "../text/seat-names";
import { say } from "../text/words.svelte";
import { play } from "../ui/sounds";
import { absences, type Absence } from "./absent-seats";
import { History } from "./history.svelte";
import { paced } from "./pace";
import type { Shown } from "./playback.svelte";
import { PlayedScene } from "./played-scene.svelte";

/** How long steps that wait to be shown may take in all, in milliseconds; the second while a clock of this device runs. */
const BACKLOG_LIMIT = 30_000;
const BACKLOG_LIMIT_ON_CLOCK = 3_000;

export abstract class TableScene extends PlayedScene {
  info = $state.raw<TableInfo | null>(null);
  /** The seats of this device. */
  seats = $state.raw<number[]>([]);
  host = $state(false);
  presence = $state.raw<Required<Presence>>({ here: [], watching: 0, away: [] });
  clocks = $state.raw<Clock[]>([]);
  /** A request to take a move back that has to be agreed to. */
  asks = $state.raw<Asking | null>(null);
  canUndo = $state(false);
  /** The games before this one, and this one once it is over: who has won what. */
  series = $state.raw<Series | null>(null);
  /** How far the server's clock is ahead of this device's, in milliseconds. */
  ahead = $state(0);
  readonly history = new History();

  readonly names: string[] = $derived(
    seatNames(this.info?.seats ?? [], (seat) => say("app.seat", { number: seat + 1 })),
  );

  constructor(readonly id: string) {
    super();
  }

  // What the server says --------------------------------------------------------------------------------------------

  protected takeTable(info: TableInfo, seats: number[] | undefined, host: boolean | undefined): void {
    this.seats = seats ?? [];
    this.host = host ?? false;
    this.info = info;
    myTables.note(this.id, { status: info.status, names: this.names, seats: this.seats, time: Date.now() });
  }

  /** The server leaves out what is empty. */
  protected takePresence(presence: Partial<Presence> | undefined): void {
    this.presence = { here: presence?.here ?? [], watching: presence?.watching ?? 0, away: presence?.away ?? [] };
  }

  /** Take what a `hello` says beside the position. */
  protected takeHello(message: HelloMessage): void {
    this.takePresence(message.presence);
    this.ahead = (message.now ?? Date.now()) - Date.now();
    this.clocks = message.clocks ?? [];
    this.asks = message.asks ?? null;
    this.canUndo = message.undo ?? false;
  }

  /** Take what a `step` says beside the position. */
  protected takeStep(message: StepMessage): void {
    this.clocks = message.clocks ?? [];
    this.canUndo = message.undo ?? false;
    this.asks = null;
    if (message.series) this.series = message.series;
  }

  // Who is at the table ---------------------------------------------------------------------------------------------

  /** Several people in front of one screen all read the same: none of them is "you". */
  get reader(): number | null {
    return this.seats.length === 1 ? this.seat : null;
  }

  /** Whether all people at the table are in front of this screen, so that nobody else has to agree. */
  get alone(): boolean {
    return (this.info?.seats ?? []).every(({ kind, seat }) => kind !== "person" || this.seats.includes(seat));
  }

  /** Whether only bots wait for what this device does. */
  get onlyBotsWait(): boolean {
    return this.alone && this.seats.length === 1;
  }

  /** Whether several people share this device and know different things. */
  get shared(): boolean {
    return this.seats.length > 1 && this.page?.secrets !== false;
  }

  /** Own seats that a bot plays for. */
  get stoodIn(): number[] {
    const found = (this.info?.seats ?? []).filter(({ seat, stand_in }) => stand_in && this.seats.includes(seat));
    return found.map(({ seat }) => seat);
  }

  /** Seats without their players, and what can be done about each. */
  get absences(): Absence[] {
    const left = myTables.leftSeats(this.id)?.seats ?? [];
    return this.info ? absences(this.info, this.presence, this.seats, this.host, left) : [];
  }

  /** Whether a move may take days and others are elsewhere: players may leave, and the server can notify them. */
  get days(): boolean {
    return this.info?.timer.kind === "days" && !isLocal(this.id);
  }

  /** Whether all other seats are bots and the table allows hints. */
  get hasHints(): boolean {
    const others = (this.info?.seats ?? []).filter(({ seat }) => seat !== this.seat);
    return this.info?.hints !== false && this.seats.length === 1 && others.every(({ kind }) => kind === "bot");
  }

  /** Whether no game of this kind was finished on this device. */
  get first(): boolean {
    return !myTables.hasFinished(this.info?.game, this.id);
  }

  /** Whether a newcomer plays alone with bots, and has not said that they know the game. */
  get guided(): boolean {
    return this.onlyBotsWait && guide.wanted(this.info?.game ?? "", this.id);
  }

  // Whose turn it is ------------------------------------------------------------------------------------------------

  /** Own seats that owe a decision. */
  protected get ownToAct(): number[] {
    return this.toAct.filter((seat) => this.seats.includes(seat));
  }

  /** Whether the seat whose view is shown is an own one and owes a decision. */
  get myTurn(): boolean {
    return this.seat !== null && this.toAct.includes(this.seat);
  }

  /** Whether those who share this device answer together what is asked in this view. */
  protected answersTogether(view: Json | null | undefined): boolean {
    return this.seats.length > 1 && !!view && (this.page?.together?.(view) ?? false);
  }

  /** Whether a question has to be answered quickly. */
  isUrgent(legal: string[]): boolean {
    return this.page?.urgent?.(legal) ?? false;
  }

  // What has happened -----------------------------------------------------------------------------------------------

  /** What happened last, in a sentence. */
  get news(): string {
    for (const step of this.history.steps.toReversed()) {
      const [first] = step.number <= this.number ? this.tell(step.events ?? []) : [];
      if (first !== undefined) return first;
    }
    return "";
  }

  /** Whether there is an own decision that can be taken back; the others may have to agree. */
  get canAsk(): boolean {
    return this.canUndo || this.history.gap || this.history.hasActionOf(this.seats);
  }

  /** What would be taken back, in a sentence. */
  get undoes(): string {
    return this.lastActionOf(this.seats);
  }

  /** The last thing, after a number, that one of these seats did and that was seen: in a sentence. */
  protected lastActionOf(seats: number[], after = 0): string {
    const steps = this.history.steps.filter(({ number, actor }) => number > after && seats.includes(actor));
    const told = steps.toReversed().map(({ events }) => this.tell(events)[0] ?? "");
    return told.find((text) => text !== "") ?? "";
  }

  // How it is shown -------------------------------------------------------------------------------------------------

  protected override wanted(ms: number): number {
    return paced(settings.pace, this.first, ms);
  }

  protected override get backlogLimit(): number {
    const runs = this.clocks.some(({ seat }) => this.seats.includes(seat)) && this.info?.timer?.kind === "turn";
    return settings.pace === "click" ? Infinity : runs ? BACKLOG_LIMIT_ON_CLOCK : BACKLOG_LIMIT;
  }

  protected override silent(step: Shown): void {
    if (this.myTurn && step.actor !== this.seat) play("turn");
  }

  /** Note for the list of the player's tables how this one stands. */
  protected override settle(): void {
    const status = this.result ? "over" : (this.info?.status ?? "waiting");
    myTables.note(this.id, { turn: this.ownToAct.length > 0, status, time: Date.now() });
  }
}
