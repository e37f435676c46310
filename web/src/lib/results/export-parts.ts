/** What is exported with the record of a player's games: progress in lessons, puzzles and challenges. Each part stores itself. */
import { challenges, type Kept as Attempts, type Attempt } from "../learn/challenges.svelte";
import { flag, listOf, mapOf, maybe, number, shape, text, whole, type Check } from "./validation";
import { lessons, type Progress } from "../learn/lessons.svelte";
import { puzzles } from "../learn/puzzles.svelte";
import type { Kept as Solved, Tried } from "../learn/puzzle-progress";

export interface ExportPart<T> {
  /** What there is here. */
  give(): T;
  check: Check<T>;
  /** Take what comes from another device; nothing that is here is lost. */
  take(value: T): void;
  forget(): void;
}

const LESSONS: ExportPart<{ [game: string]: Progress }> = {
  give: () => lessons.everything,
  check: mapOf(shape<Progress>({ at: whole(0, 1_000), done: flag }), 200),
  take: (progress) => lessons.merge(progress),
  forget: () => lessons.forgetAll(),
};

const day = text(/^\d{4}-\d\d-\d\d$/, 10);
const how = text(/^(solved|helped|failed)$/) as Check<Tried["how"]>;
const tried = shape<Tried>({ how, day, shown: maybe(flag) as Check<boolean> });

const PUZZLES: ExportPart<Solved> = {
  give: () => puzzles.everything,
  check: shape<Solved>({ games: mapOf(mapOf(tried, 2_000), 200), run: whole(0, 1e6), best: whole(0, 1e6) }),
  take: (solved) => puzzles.merge(solved),
  forget: () => puzzles.forgetAll(),
};

const attempt = shape<Attempt>({
  table: text(/^[a-z0-9]+$/),
  begun: day,
  measure: maybe(number(-1e6, 1e6)) as Check<number>,
  place: maybe(whole(1, 100)) as Check<number>,
  of: maybe(whole(1, 100)) as Check<number>,
});

const CHALLENGES: ExportPart<Attempts> = {
  give: () => challenges.everything,
  check: mapOf(mapOf(listOf(attempt, 200), 4_000), 200),
  take: (tries) => challenges.merge(tries),
  forget: () => challenges.forgetAll(),
};

/** All parts by their names in the file. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- each knows its own kind
export const EXPORT_PARTS: { [name: string]: ExportPart<any> } = {
  lessons: LESSONS,
  puzzles: PUZZLES,
  challenges: CHALLENGES,
};
