/** What the seats of a table are called. */
import type { SeatInfo } from "../net/protocol";

const BOTS = ["Anouk", "Basile", "Colette", "Dario", "Élise", "Félix", "Gaspard", "Hanaé"];

/** What two names have in common that readers take for the same. */
function looks(name: string): string {
  return name
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\s\u200c\u200d\ufe0e\ufe0f]/g, "");
}

/** A name for every seat, all different to the eye: people's own, first names for bots. */
export function seatNames(seats: SeatInfo[], empty: (seat: number) => string): string[] {
  const taken = new Set<string>();
  return seats.map((one) => {
    const wish = one.name || (one.kind === "bot" ? BOTS[one.seat % BOTS.length] : "") || empty(one.seat);
    let name = wish;
    for (let n = 2; taken.has(looks(name)); n++) name = `${wish} ${n}`;
    taken.add(looks(name));
    return name;
  });
}
