/** Things that fly over a stage in a step, from spot to spot. `Flights.svelte` draws them. */
import { SvelteSet } from "svelte/reactivity";
import type { Spots } from "./spots";

export const FLIGHT_MS = 380;

export interface Flight<Thing> {
  thing: Thing;
  /** The best spot first, then what will do where that is not to be seen. */
  from: string[];
  to: string[];
  /** Milliseconds after the step. */
  at: number;
}

/** A thing in the air. */
export interface Flyer<Thing> extends Pick<Flight<Thing>, "thing" | "at"> {
  id: number;
  start: DOMRect;
  end: DOMRect;
  /** The names of the spots it comes from and goes to. */
  from: string;
  to: string;
}

export class Sky<Thing> {
  flyers = $state.raw<Flyer<Thing>[]>([]);
  /** Spots whose thing has not arrived yet. */
  readonly awaited = new SvelteSet<string>();
  private count = 0;

  /** Start a step's flights; what is still flying from the step before has arrived. */
  launch(flights: Flight<Thing>[], before: Spots, now: Spots): void {
    this.land();
    this.flyers = flights.flatMap(({ thing, from, to, at }) => {
      const [start, end] = [first(from, before), first(to, now)];
      if (!start || !end) return [];
      this.awaited.add(end.name);
      return [{ id: ++this.count, thing, at, start: start.rect, end: end.rect, from: start.name, to: end.name }];
    });
  }

  /** All is where it belongs. */
  land(): void {
    this.flyers = [];
    this.awaited.clear();
  }

  arrived({ id, to }: Flyer<Thing>): void {
    this.flyers = this.flyers.filter((one) => one.id !== id);
    this.awaited.delete(to);
  }
}

function first(names: string[], spots: Spots): { name: string; rect: DOMRect } | null {
  for (const name of names) {
    const rect = spots.get(name);
    if (rect) return { name, rect };
  }
  return null;
}
