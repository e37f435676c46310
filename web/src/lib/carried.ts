/** What goes along with the record of one's games when it is taken to another device. Each part keeps itself. */
import { flag, mapOf, shape, whole, type Check } from "./checks";
import { lessons, type Progress } from "./lessons.svelte";

export interface Part<T> {
  /** What there is here. */
  give(): T;
  check: Check<T>;
  /** Take what comes from another device; nothing that is here is lost. */
  take(value: T): void;
  forget(): void;
}

const LESSONS: Part<{ [game: string]: Progress }> = {
  give: () => lessons.everything,
  check: mapOf(shape<Progress>({ at: whole(0, 1_000), done: flag }), 200),
  take: (progress) => lessons.merge(progress),
  forget: () => lessons.forgetAll(),
};

/** All parts by their names in the file. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- each knows its own kind
export const PARTS: { [name: string]: Part<any> } = { lessons: LESSONS };
