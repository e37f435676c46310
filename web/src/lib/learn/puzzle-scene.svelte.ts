/** A puzzle as a scene: the player tries, may ask for hints or the solution, and is told the result. */
import { api } from "../net/api";
import { inSentence } from "../table/hints.svelte";
import { notices } from "../ui/notices.svelte";
import { PracticeScene } from "./practice-scene.svelte";
import { puzzles } from "./puzzles.svelte";
import { settings } from "../device/settings.svelte";
import { say } from "../text/words.svelte";
import type { FiguresInfo, Practised, PuzzleInfo, SolutionInfo, Told } from "../net/protocol";

/** Something to go by: first what it is about, then what to do. */
export interface Hinted {
  level: 1 | 2;
  told: Told;
  /** Of how many choices how many are right. */
  right: number;
  of: number;
}

export class PuzzleScene extends PracticeScene {
  puzzle = $state.raw<PuzzleInfo | null>(null);
  hint = $state.raw<Hinted | null>(null);
  /** Help in this try: a hint, or all of it. */
  help = $state<"" | "hint" | "solution">("");
  /** The solution is being played. */
  showing = $state(false);

  /** Begin a puzzle; whether it could be asked for. */
  begins(puzzle: PuzzleInfo): Promise<boolean> {
    this.puzzle = puzzle;
    return this.anew();
  }

  override anew(): Promise<boolean> {
    this.hint = null;
    this.help = "";
    return super.anew();
  }

  /** A text about its theme: its title, what is asked, and perhaps more. */
  about(word: "" | ".task" | ".more" = ""): string {
    const { theme, task, seat } = this.puzzle ?? { theme: "" };
    const key = `puzzle.${theme}${word}`;
    return word === ".more" && !this.texts.has(key) ? "" : this.texts.say(key, { ...task, seat });
  }

  /** What there is to say once it has ended. */
  get solution(): SolutionInfo | null {
    return this.verdict === "going" ? null : (this.said?.solution ?? null);
  }

  /** How it has ended, in a few words. */
  get ending(): string {
    if (this.verdict !== "done") return say("puzzles.astray");
    return say(this.help === "solution" ? "puzzles.shown" : "puzzles.solved");
  }

  /** Why it has ended so: what the proof says, and what speaks for the action or against it. */
  get words(): string[] {
    const { figures, against, line, point = 0 } = this.solution ?? {};
    const told = this.verdict === "done" ? line?.[point] : against;
    const lines = figures ? [this.proof(figures)] : [];
    if (told?.reasons?.length) lines.push(this.sentence(told));
    return lines;
  }

  /** The way that has solved it, in sentences. */
  get way(): string[] {
    return (this.solution?.line ?? []).map((told) => this.sentence(told));
  }

  override get hinted(): string | null {
    return this.hint?.level === 2 ? this.hint.told.action : null;
  }

  /** What a hint marks: what acts, then also where it goes. */
  get marks(): string[] {
    const { hint, page } = this;
    const marks = hint ? (page?.marks?.(this, hint.told.action) ?? []) : [];
    return hint?.level === 1 ? marks.slice(0, 1) : marks;
  }

  /** What a hint says: which piece or card it is about, or else what it is good for; then what to do, and why. */
  get advice(): string {
    const { hint } = this;
    if (!hint) return "";
    if (hint.level === 2) return this.sentence(hint.told);
    const { groups, choices } = this.page?.choices(this) ?? { groups: [], choices: [] };
    const mine = choices.filter(({ action }) => action === hint.told.action).map(({ group }) => group);
    const what = groups.find(({ id }) => mine.includes(id))?.label;
    if (what) return say("puzzles.hint_piece", { what });
    const [why] = hint.told.reasons ?? [];
    if (why) return say("puzzles.hint_why", { why: this.texts.say(String(why["key"]), why) });
    return say("puzzles.hint_count", { n: hint.right, of: hint.of });
  }

  /** A hint, and each time one asks a step more: what it is about, what to do, and then it is done. */
  async askHint(): Promise<void> {
    const { hint } = this;
    if (!this.settled || this.busy || this.verdict !== "going") return;
    notices.clear();
    this.help ||= "hint";
    if (hint?.level === 2) this.act(hint.told.action);
    else if (hint) this.hint = { ...hint, level: 2 };
    else {
      const answer = await this.wish("hint");
      const [told] = answer?.solution?.line ?? [];
      if (told) this.hint = { level: 1, told, right: answer?.solution?.right ?? 1, of: answer?.legal.length ?? 1 };
    }
  }

  /** Play a solution: from here on, or without the last action if that has led astray. */
  async show(): Promise<void> {
    if (!this.settled || this.busy || !this.puzzle) return;
    notices.clear();
    this.hint = null;
    const { puzzle } = this;
    const { line, since = 0 } = (await this.wish("solution"))?.solution ?? {};
    if (!line?.length || this.puzzle !== puzzle) return;
    this.help = "solution";
    puzzles.note(this.game, puzzle.id, "shown");
    this.showing = true;
    let there = this.actions.length === since || (await this.walk(this.actions.slice(0, since)));
    for (const { action } of line)
      there = there && this.puzzle === puzzle && (await this.walk([...this.actions, action]));
    this.showing = false;
  }

  override act(action: string): void {
    if (!this.showing) super.act(action);
  }

  override takeBack(): void {
    if (!this.showing) super.takeBack();
  }

  protected ask(actions: string[]): Promise<Practised> {
    return api.puzzle({ game: this.game, id: this.puzzle?.id ?? "", actions });
  }

  protected override take(answer: Practised, actions: string[]): void {
    const onward = actions.length > this.actions.length;
    const named = this.hinted === actions.at(-1);
    super.take(answer, actions);
    this.hint = null;
    if (!onward || !this.puzzle || this.help === "solution") return;
    // An ending that a hint has named is not the solver's own.
    if (answer.verdict === "done" && named) this.help = "solution";
    const done = this.help === "solution" ? "shown" : this.help ? "helped" : "solved";
    if (answer.verdict !== "going") {
      puzzles.note(this.game, this.puzzle.id, answer.verdict === "done" ? done : "wrong");
    }
  }

  /** The only answer is not given to a puzzle while its solution is being played. */
  protected override rests(): void {
    if (!this.showing) super.rests();
  }

  private async wish(wish: "hint" | "solution"): Promise<Practised | null> {
    const { puzzle, actions } = this;
    this.busy = true;
    try {
      const answer = await api.puzzle({ game: this.game, id: puzzle?.id ?? "", actions, wish });
      return this.puzzle === puzzle && this.actions === actions ? answer : null;
    } catch (error) {
      if (this.puzzle === puzzle) this.showError(error);
      return null;
    } finally {
      if (this.puzzle === puzzle) this.busy = false;
    }
  }

  private sentence(told: Told): string {
    const label = (action: string) => this.page?.choices(this).choices.find((one) => one.action === action)?.label;
    return inSentence(this.seat ?? 0, told, this.texts, (action) => label(action) ?? action);
  }

  /** What the proof says, in a sentence. */
  private proof({ kind, many, good = 0, best = 0, next = 0, yours }: FiguresInfo): string {
    if (kind === "turn" && this.verdict === "astray") return say("puzzles.no_way");
    const lost = yours === undefined || yours === null ? "" : "_lost";
    const worth = (n: number) => (kind === "count" ? this.worth(n) : this.percent(n));
    const params = {
      n: many,
      many: number(many),
      good,
      best: worth(best),
      next: worth(next),
      yours: worth(yours ?? 0),
    };
    return say(`puzzles.proof_${kind}${lost}`, params);
  }

  /** What a choice is worth, in the words of its theme. */
  private worth(value: number): string {
    const key = `puzzle.${this.puzzle?.theme}.worth`;
    const worth = number(value);
    const rounded = Math.round(10 * Math.abs(value)) / 10;
    const n = settings.language === "fr" ? Math.trunc(rounded) : rounded; // "1,5 étoile", "1.5 stars"
    if (!this.texts.has(key)) return worth;
    return this.texts.say(key, { worth, n, minus: number(-value), percent: this.percent(value) });
  }

  private percent(share: number): string {
    return number(Math.round(100 * share));
  }
}

/** A number as the reader writes it, with one decimal at most. */
function number(value: number): string {
  const rounded = Math.round(10 * value) / 10 || 0;
  return rounded.toLocaleString(settings.language, { maximumFractionDigits: 1 });
}
