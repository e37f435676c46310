/** The pictures of a game's rule book, and the component of the game that draws them. */
import type { Component } from "svelte";
import type { FigureProps } from "../../games/contract";
import { api } from "../net/api";
import type { Figure } from "../net/protocol";

export interface Book {
  figures: readonly Figure[];
  /** Null for a game whose folder draws none: its words stand alone. */
  Drawing: Component<FigureProps> | null;
}

const DRAWINGS = import.meta.glob<{ default: Component<FigureProps> }>("../../games/*/Figure.svelte");

const loaded = new Map<string, Promise<Book>>();

/** The book of a game; loaded once. A game without one has no figures. */
export function gameBook(game: string): Promise<Book> {
  let book = loaded.get(game);
  if (!book) {
    book = load(game);
    book.catch(() => loaded.delete(game));
    loaded.set(game, book);
  }
  return book;
}

async function load(game: string): Promise<Book> {
  const drawing = DRAWINGS[`../../games/${game}/Figure.svelte`]?.();
  const [{ figures }, drawn] = await Promise.all([api.book(game), drawing]);
  return { figures, Drawing: drawn?.default ?? null };
}

/** The numbers of the pictures that belong to a rule, counted from 0: first those that explain it best. */
export function figuresOf(figures: readonly Figure[], rule: string): { best: number[]; others: number[] } {
  const found = figures.flatMap(({ rules }, at) => (rules.includes(rule) ? [at] : []));
  const isBest = (at: number): boolean => figures[at]?.rules[0] === rule;
  return { best: found.filter(isBest), others: found.filter((at) => !isBest(at)) };
}
