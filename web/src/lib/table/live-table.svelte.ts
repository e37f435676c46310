/** A table that is played live: the connection to it, what the server's messages change, and what the player can do. */
import type { Choice, GamePage } from "../../games/contract";
import { localSocket } from "../../offline/local-socket";
import { isLocal } from "../device/local-tables";
import { myTables } from "../device/my-tables.svelte";
import { api } from "../net/api";
import { Connection, type ConnectionState } from "../net/connection";
import { PendingActions } from "../net/pending-actions.svelte";
import type {
  HelloMessage,
  HintedMessage,
  Json,
  RefusedMessage,
  Say,
  ServerMessage,
  StepMessage,
} from "../net/protocol";
import { rateLimitWaits } from "../net/rate-limit-waits.svelte";
import { fetchViews } from "../net/replay-pages";
import { MAX_RETRY_AFTER_S } from "../net/retry";
import { saveResult } from "../results/save-result";
import { errorText } from "../text/error-messages";
import { gameTexts, say } from "../text/words.svelte";
import { notices } from "../ui/notices.svelte";
import { catchUp, standing } from "./catch-up";
import { Chat } from "./chat.svelte";
import { ForcedMove } from "./forced-move";
import { Hints, inSentences } from "./hints.svelte";
import { PassAndPlay } from "./pass-and-play.svelte";
import { SeatViewpoint } from "./seat-viewpoint.svelte";
import { TableScene } from "./table-scene.svelte";
import { TieBreak } from "./tie-break.svelte";

/** What a server has too much of when it closes a connection for some time, as in `rateLimitWaits`. */
const CROWDED: { readonly [reason: string]: string } = { full: "connections", rate: "messages" };

export class LiveTable extends TableScene {
  connectionState = $state<ConnectionState>("connecting");
  /** Why the server does not let this device back in: `unknown`, `token`, `moved`, ... */
  gone = $state("");

  readonly chat = new Chat();
  readonly tieBreak = new TieBreak((message) => this.connection.send(message));
  readonly hints = new Hints((rank) =>
    this.connection.send({ type: "hint", at: this.history.known, seat: this.seat, rank }),
  );
  private readonly pending = new PendingActions((act) => void this.connection.send(act));
  private readonly viewpoint = new SeatViewpoint((seat) => void this.connection.send({ type: "look", seat }));
  private readonly passAndPlay = new PassAndPlay((seat) => this.viewpoint.switchTo(seat));
  private readonly forcedMove = new ForcedMove(this);
  private connection: Connection;

  constructor(
    id: string,
    private token: string | undefined,
  ) {
    super(id);
    this.playback.hold();
    this.connection = this.connect();
  }

  // Connection ------------------------------------------------------------------------------------------------------

  private connect(): Connection {
    return new Connection(isLocal(this.id) ? () => localSocket(this.id) : api.socketUrl(this.id), {
      greeting: () => {
        const known = this.history.known;
        return { type: "join", token: this.token ?? null, seat: this.seat, last: known || null, opening: !known };
      },
      message: (message) => this.receive(message),
      state: (state) => (this.connectionState = state),
      bye: ({ reason }) => {
        if ((reason === "token" || reason === "removed") && this.token) myTables.forget(this.id);
        this.gone = reason;
      },
      later: ({ reason, seconds }) => void rateLimitWaits.wait({ key: CROWDED[reason] ?? "busy" }, seconds ?? 1),
    });
  }

  /** Reconnect at once. */
  retry(): void {
    this.connection.retry();
  }

  /** Connect again with another token: a player took a seat at this device. */
  enter(token: string): void {
    this.token = token;
    this.viewpoint.seat = null;
    this.connection.close();
    this.gone = "";
    this.history.forget();
    this.connectionState = "connecting";
    this.connection = this.connect();
  }

  /** Begin to show what happens: the game's part of the page has been loaded. */
  open(page: GamePage): void {
    this.page = page;
    this.playback.release();
    if (this.resting) this.rests();
  }

  close(): void {
    this.forcedMove.cancel();
    this.viewpoint.close();
    this.playback.stop();
    this.connection.close();
  }

  async setLanguage(language: "en" | "fr"): Promise<void> {
    const game = this.info?.game;
    if (game) this.messages = await gameTexts(game, language);
  }

  // Viewpoint -------------------------------------------------------------------------------------------------------

  get seat(): number | null {
    return this.viewpoint.seat;
  }

  /** Switch the viewpoint to another own seat; null is the public view. */
  switchViewpoint(seat: number | null): void {
    this.viewpoint.switchTo(seat);
  }

  /** The own seat whose player has to take the device before its view is shown (pass-and-play). */
  override get curtain(): number | null {
    return this.together.length > 0 || !this.playback.idle ? null : this.passAndPlay.curtain;
  }

  /** Own seats that answer at the same time, in front of the screen they share. */
  get together(): number[] {
    return this.settled && !this.viewpoint.switching && this.answersTogether(this.view) ? this.ownToAct : [];
  }

  /** Whether the newest step has been seen, and it is known whose view comes next. */
  override get resting(): boolean {
    return super.resting && !this.viewpoint.switching;
  }

  /** The newest step has been seen: update pass-and-play, play a forced move, and save the result. */
  protected override rests(): void {
    if (!this.page || this.viewpoint.switching) return;
    const secrets = this.page.secrets !== false;
    this.passAndPlay.settle(this.ownToAct, this.seat, secrets, this.answersTogether(this.view));
    this.forcedMove.play();
    this.saveResult();
  }

  private saveResult(): void {
    const { info, page, result, seats } = this;
    if (!info || !page || !result) return;
    const { lasted } = this.history;
    const time = this.history.steps.at(-1)?.time ?? Date.now();
    saveResult(info, seats, result, page, { time, lasted, guided: this.guided });
  }

  // What a game can do ----------------------------------------------------------------------------------------------

  get legal(): string[] {
    const asks = this.settled && !this.viewpoint.switching && this.curtain === null && !this.foregone;
    return asks ? this.shown.legal : [];
  }

  override get prompt(): Json {
    return this.foregone ? {} : super.prompt;
  }

  /** Whether the only legal action will be played once everything has been shown, so that the player is not asked. */
  private get foregone(): boolean {
    return this.settled && !this.resting && this.forcedMove.isCertain(this.shown.legal);
  }

  get busy(): boolean {
    return this.seat !== null && this.pending.busy(this.seat);
  }

  act(action: string, delay?: number, as: number | null = this.seat): void {
    if (!this.settled || this.viewpoint.switching || (as !== null && this.pending.busy(as))) return;
    notices.clear();
    this.forcedMove.resume();
    if (as === null) return notices.show(say("why.watching"));
    if (!this.connection.open) return notices.show(say("why.offline"), "bad");
    if (!this.toAct.includes(as)) return notices.show(say("why.not_now"));
    this.pending.add(this.history.known, as, action, delay ?? null);
  }

  allViews(): Promise<Json[]> {
    return fetchViews((first, count) => api.replay(this.id, null, first, count));
  }

  get canRepeat(): boolean {
    return this.settled && !this.viewpoint.switching && this.curtain === null && this.number > 0;
  }

  /** Show again what has happened since the player's last action. */
  again(): void {
    if (this.canRepeat) this.playback.again(this.seat);
  }

  // What players do beside the game ---------------------------------------------------------------------------------

  /** Whether a hint can be asked for; not where all players answer at once, because a hint would come too late. */
  get canHint(): boolean {
    return this.hasHints && this.legal.length > 0 && !this.isUrgent(this.legal);
  }

  override get hinted(): string | null {
    return this.hints.found?.idea.action ?? null;
  }

  /** What the hint says, in sentences. */
  get advice(): string[] {
    const hint = this.hints.found;
    return hint && this.page ? inSentences(hint, this.texts, (action) => this.choice(action)?.label ?? action) : [];
  }

  /** The choice of an action; of several the plainest one, which comes last. */
  private choice(action: string): Choice | undefined {
    return this.page?.choices(this).choices.findLast((one) => one.action === action);
  }

  /** Ask for a hint. */
  hint(): void {
    if (!this.hasHints) return notices.show(say(this.info?.hints === false ? "why.no_hints" : "why.hints_alone"));
    if (!this.canHint) return notices.show(say("why.not_asked"));
    this.hints.ask();
    if (!this.hints.busy) notices.show(say("why.offline"), "bad");
  }

  /** Ask to take the last own action back. */
  undo(): void {
    if (this.info?.challenge) return notices.show(say("why.challenge_undo"));
    if (!this.canAsk) return notices.show(say("why.nothing"));
    const sent = this.connection.send({ type: "undo", at: this.history.known, seat: this.seat });
    if (!sent) notices.show(say("why.offline"), "bad");
  }

  /** Agree, or not, that an action is taken back: for all own seats that have to. */
  agree(yes: boolean): void {
    if (!this.asks) return;
    const waiting = this.seats.filter((seat) => this.asks?.needed.includes(seat) && !this.asks.agreed.includes(seat));
    for (const seat of waiting) this.connection.send({ type: "agree", at: this.asks.at, yes, seat });
  }

  /** Own seats that share the first place. */
  get tiedSeats(): number[] {
    return this.tieBreak.among(this.seats);
  }

  /** Say whether a seat wants the tie-break. */
  joinTieBreak(seat: number, yes: boolean): void {
    if (!this.connection.send({ type: "wrestle", yes, seat })) notices.show(say("why.offline"), "bad");
  }

  /** Say something in the chat. Returns false if it could not be sent. */
  say(line: { text: string } | { phrase: NonNullable<Say["phrase"]> }): boolean {
    return this.connection.send({ type: "say", ...line });
  }

  // Messages of the server ------------------------------------------------------------------------------------------

  private receive(message: ServerMessage): void {
    switch (message.type) {
      case "hello":
        this.hello(message);
        break;
      case "step":
        this.step(message);
        break;
      case "ack":
        this.pending.acknowledge(message.id);
        break;
      case "refused":
        this.refused(message);
        break;
      case "hinted":
        this.showHint(message);
        break;
      case "table":
        this.takeTable(message.table, message.seats, message.host);
        break;
      case "presence":
        this.takePresence(message);
        break;
      case "chat":
        this.chat.add(message.line, message.line.seat !== null && this.seats.includes(message.line.seat));
        break;
      case "asks":
        if (this.asks && !message.asks && this.seats.includes(this.asks.by)) notices.show(say("play.refused"));
        this.asks = message.asks ?? null;
        break;
      case "contest":
        this.tieBreak.update(message.contest, message.now);
        break;
      case "pulls":
        this.tieBreak.count(message.round, message.counts);
        break;
    }
  }

  private hello(message: HelloMessage): void {
    this.hints.clear();
    const seat = message.seat ?? null;
    this.takeTable(message.table, message.seats, message.host);
    this.tieBreak.update(message.contest ?? null, message.now ?? 0);
    this.series = message.series ?? message.table.series ?? null;
    if (this.shared && !this.viewpoint.isWanted(seat) && message.table.status !== "waiting")
      return this.viewpoint.resend();
    const changed = this.viewpoint.arrived(seat);
    const first = this.history.known === 0;
    this.takeHello(message);
    this.chat.begin(message.chat ?? []);
    this.history.begin(message.number ?? 0, message.log ?? [], message.gap ?? false, changed);
    this.show(message, first, changed);
    if (changed) this.passAndPlay.taken(seat);
    this.settle();
    this.pending.resendAll();
    if (this.resting) this.rests();
  }

  /** Show how the table stands, and before that the steps that were missed. */
  private show(message: HelloMessage, first: boolean, changed: boolean): void {
    const { seats, seat: viewpoint, number, reached } = this;
    const { idle } = this.playback;
    const found = catchUp(message, { seats, viewpoint, changed, first, number, reached, idle });
    if (found.start) this.begin(found.start, found.again && this.shared ? "public" : "nothing");
    else this.playback.forget();
    for (const { step, atOnce } of found.steps) this.playback.add(step, atOnce);
    if (found.reached !== null) this.reached = found.reached;
  }

  private step(message: StepMessage): void {
    this.hints.clear();
    this.pending.acknowledge(message.id);
    this.forcedMove.cancel();
    if (this.seats.includes(message.actor)) notices.clear();
    this.takeStep(message);
    if (message.contest) this.tieBreak.update(message.contest, 0);
    const { number, actor, time } = message;
    const events = message.events ?? [];
    const back = message.undone ?? null;
    if (back !== null) this.takenBack(actor, back);
    if (this.viewpoint.switching) return;
    this.history.add({ number, actor, time, events, eased: message.eased ?? "", late: message.late ?? false }, back);
    const together = this.answersTogether(message.view);
    const done = this.seat !== null && !(message.to_act ?? []).includes(this.seat);
    if (this.shared && this.seat !== null && (done || together)) return this.viewpoint.switchTo(null);
    const same = this.legal.length > 0 && message.asked === this.asked; // others answer, and the own question stays
    const atOnce = back !== null || same || together || this.isUrgent(message.legal ?? []);
    this.playback.add({ ...standing(message), events, actor, viewpoint: this.seat }, atOnce);
  }

  /** Everything after number `back` was taken back at the request of `actor`. */
  private takenBack(actor: number, back: number): void {
    this.forcedMove.pause();
    const own = this.seats.includes(actor);
    const what = this.lastActionOf([actor], back);
    notices.show(own ? say("play.taken_back", { what }) : say("play.undone", { name: this.names[actor] ?? "", what }));
  }

  private refused(message: RefusedMessage): void {
    if (this.viewpoint.switching && !message.id) this.viewpoint.refused(message.key);
    if (this.pending.has(message.id) && message.key === "busy") return this.pending.resendLater(message.id);
    const seconds = Number(message.params?.["seconds"] ?? 0);
    if (this.pending.has(message.id) && message.key === "rate" && seconds <= MAX_RETRY_AFTER_S)
      return void rateLimitWaits.wait(message, seconds || 1).then(() => this.pending.resendLater(message.id));
    this.pending.acknowledge(message.id);
    if (!message.id) this.hints.busy = false;
    const game = this.info?.game;
    notices.show(errorText(message, this.texts), "bad", { rule: message.rule || undefined, ...(game ? { game } : {}) });
    if (message.key === "stale" || message.key === "ahead") {
      this.connection.send({ type: "resync", last: this.history.known });
    }
  }

  /** Show a hint; what it is about is picked, so that one click is left. */
  private showHint(hint: HintedMessage): void {
    this.hints.receive(hint);
    this.picked = this.choice(hint.idea.action)?.group ?? null;
  }
}
