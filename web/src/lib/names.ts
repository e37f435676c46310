/** What the seats of a table are called. */
import type { SeatInfo } from "./wire";

const BOTS = ["Anouk", "Basile", "Colette", "Dario", "Élise", "Félix", "Gaspard", "Hanaé"];

/** A name for every seat, all different: people's own, first names for bots. */
export function seatNames(seats: SeatInfo[], empty: (seat: number) => string): string[] {
  const taken = new Set<string>();
  return seats.map((one) => {
    const wish = one.name || (one.kind === "bot" ? BOTS[one.seat % BOTS.length] : "") || empty(one.seat);
    let name = wish;
    for (let n = 2; taken.has(name); n++) name = `${wish} ${n}`;
    taken.add(name);
    return name;
  });
}
