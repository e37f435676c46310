/**
 * Exercises as a scene: the player acts on the game's own stage, and the server says what comes of it. An exercise of a
 * lesson is one kind, a puzzle another.
 */
import { api, Refused } from "../net/api";
import { seatNames } from "../text/seat-names";
import { notices } from "../ui/notices.svelte";
import { paced } from "../table/pace";
import type { GamePage } from "../../games/contract";
import { PlayedScene } from "../table/played-scene.svelte";
import type { Shown } from "../table/playback.svelte";
import { showError, errorText } from "../text/error-messages";
import { settings } from "../device/settings.svelte";
import { gameTexts, say } from "../text/words.svelte";
import type { Json, Moment, Practised, SeatInfo } from "../net/protocol";

const BACKLOG_LIMIT = 30_000;

export abstract class PracticeScene extends PlayedScene {
  seat = $state(0);
  busy = $state(false);
  /** What was done so far; the server keeps nothing. */
  actions = $state.raw<string[]>([]);
  readonly together: number[] = [];
  protected said = $state.raw<Practised | null>(null);
  private seats = $state(0);
  private views: Json[] = [];
  /** Which of the actions were the only ones there were, and done without asking. */
  private readonly forced = new Set<number>();
  /** Something else was opened: answers about what was before come too late. */
  private opened = 0;
  /** It has just been opened: what led to it has not been seen yet. */
  private fresh = true;

  readonly names: string[] = $derived(
    seatNames(
      Array.from({ length: this.seats }, (_, seat): SeatInfo =>
        seat === this.seat ? { seat, kind: "person", name: settings.name } : { seat, kind: "bot" },
      ),
      (seat) => say("app.seat", { number: seat + 1 }),
    ),
  );

  constructor(
    readonly game: string,
    page: GamePage,
  ) {
    super();
    this.page = page;
  }

  /** How things stand after these actions. */
  protected abstract ask(actions: string[]): Promise<Practised>;

  /** Whatever is asked from now on is about something else; false if it could not be asked. */
  protected open(): Promise<boolean> {
    this.opened++;
    this.busy = false;
    this.fresh = true;
    return this.walk([]);
  }

  /** Begin anew. */
  anew(): Promise<boolean> {
    return this.open();
  }

  get reader(): number {
    return this.seat;
  }

  get legal(): string[] {
    return this.settled && this.verdict === "going" && !this.foregone ? this.shown.legal : [];
  }

  /** Nothing is asked any more once it has ended, whatever would come next in a game. */
  override get prompt(): Json {
    return this.verdict === "going" && !this.foregone ? super.prompt : {};
  }

  /** There is only one answer, and it is going to be given: to ask for it would only puzzle. */
  private get foregone(): boolean {
    return settings.obvious && this.settled && this.shown.legal.length === 1 && (!this.resting || this.busy);
  }

  /** How it stands, as soon as everything that led there has been seen. */
  get verdict(): Practised["verdict"] {
    return this.resting ? (this.said?.verdict ?? "going") : "going";
  }

  get news(): string {
    return this.tell(this.events)[0] ?? "";
  }

  act(action: string): void {
    if (!this.settled || this.verdict !== "going") return;
    notices.clear();
    this.forced.delete(this.actions.length);
    void this.walk([...this.actions, action]);
  }

  /** Take back the last action that the player chose, and the forced moves that followed from it. */
  takeBack(): void {
    if (this.actions.length === 0) return;
    notices.clear();
    let last = this.actions.length - 1;
    while (last > 0 && this.forced.has(last)) last--;
    void this.walk(this.actions.slice(0, last));
  }

  async setLanguage(language: "en" | "fr"): Promise<void> {
    this.messages = await gameTexts(this.game, language);
  }

  allViews(): Promise<Json[]> {
    return Promise.resolve(this.views);
  }

  close(): void {
    this.opened++;
    this.playback.stop();
  }

  protected override wanted(ms: number): number {
    return paced(settings.pace, true, ms);
  }

  protected override get backlogLimit(): number {
    return settings.pace === "click" ? Infinity : BACKLOG_LIMIT;
  }

  protected override settle(): void {
    // no table has to be updated
  }

  /** Where there is only one answer it is given, as at a table; not again once it was taken back. */
  protected override rests(): void {
    const [only, ...others] = this.legal;
    if (!settings.obvious || only === undefined || others.length > 0) return;
    this.act(only);
    this.forced.add(this.actions.length);
  }

  protected override silent(): void {
    // no sound
  }

  /** Ask how things stand after these actions, and show it; whether they stand so. */
  protected async walk(actions: string[]): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    const { opened } = this;
    try {
      const answer = await this.ask(actions);
      if (opened !== this.opened) return false;
      this.take(answer, actions);
      return true;
    } catch (error) {
      if (opened === this.opened) this.showError(error);
      return false;
    } finally {
      if (opened === this.opened) this.busy = false;
    }
  }

  protected showError(error: unknown): void {
    if (error instanceof Refused && error.problem.rule) {
      const { rule } = error.problem;
      notices.show(errorText(error.problem, this.texts), "bad", { rule, game: this.game });
    } else showError(error, this.texts);
  }

  /** What happened is acted out if something more was done; what was taken back is gone at once. */
  protected take(answer: Practised, actions: string[]): void {
    const onward = actions.length > this.actions.length;
    if (!onward) for (const at of [...this.forced]) if (at >= actions.length) this.forced.delete(at);
    this.said = answer;
    this.actions = actions;
    this.seat = answer.seat;
    const last = answer.moments.length - 1;
    const shown = answer.moments.map((moment, at) => this.shownAs(moment, at === last ? answer : null));
    const [first, ...rest] = shown;
    if (!first) return;
    this.seats = seatsIn(first.view);
    this.views = onward ? [...this.views, ...answer.moments.map(({ view }) => view)] : [first.view ?? {}];
    if (onward) for (const one of shown) this.playback.add(one, false);
    else if (this.fresh) {
      this.begin(first);
      for (const one of rest) this.playback.add(one, false);
    } else this.begin({ ...(shown.at(-1) ?? first), events: [] });
    this.fresh = false;
  }

  private shownAs({ number, view, prompt, to_act, events, actor }: Moment, answer: Practised | null): Shown {
    const asked = answer && to_act.includes(answer.seat) ? number : 0;
    const [legal, result] = [answer?.legal ?? [], answer?.result ?? null];
    return { number, view, prompt, legal, toAct: to_act, asked, events, actor, result, viewpoint: this.seat };
  }
}

/** An exercise of a game's lesson. */
export class LessonScene extends PracticeScene {
  /** The exercise that is shown. Its name changes together with its position. */
  exercise = $state("");
  /** The exercise that the next request is about. */
  private requested = "";

  /** Begin an exercise. Returns false, and stays at the one that is shown, if it cannot be loaded. */
  async begins(exercise: string): Promise<boolean> {
    this.requested = exercise;
    const begun = await this.open();
    if (this.requested === exercise) this.requested = this.exercise; // else another one has been asked for
    return begun;
  }

  /** What is said of how the exercise has ended. */
  get words(): string {
    const word = this.verdict === "done" ? "done" : (this.said?.said ?? "");
    return word ? this.lesson(word) : say("learn.astray_about");
  }

  /** A text of the exercise. */
  lesson(word: string): string {
    const seats = this.names.map((_, seat) => [`seat${seat}`, seat] as const);
    return this.texts.say(`lesson.${this.exercise}.${word}`, Object.fromEntries(seats));
  }

  /** Play the next action of a way that leads there; from the beginning, if the learner went another. */
  async showMe(): Promise<void> {
    if (!this.settled || this.busy) return;
    notices.clear();
    if (!this.said?.show) await this.walk([]);
    const next = this.said?.show;
    if (next) await this.walk([...this.actions, next]);
  }

  protected ask(actions: string[]): Promise<Practised> {
    return api.practice({ game: this.game, exercise: this.requested, actions });
  }

  protected override take(answer: Practised, actions: string[]): void {
    this.exercise = this.requested;
    super.take(answer, actions);
  }
}

function seatsIn(view: Json | null): number {
  return Number(view?.["seats"] ?? 0);
}
