/** What the seats of a table are called. */
import type { SeatInfo } from "./wire";

const BOTS = ["Anouk", "Basile", "Colette", "Dario", "Élise", "Félix", "Gaspard", "Hanaé"];

/** How long a name may be, as the server counts: in code points. */
const LONGEST = 24;

/** A name as it may be sent: it ends between two letters, never within one or within an emoji. */
export function shortened(name: string): string {
  let kept = "";
  for (const letter of letters(name.trim())) {
    if ([...kept, ...letter].length > LONGEST) break;
    kept += letter;
  }
  return kept;
}

/** What readers take for single letters; browsers before 2024 may not know. */
function letters(text: string): string[] {
  if (!("Segmenter" in Intl)) return [...text];
  return Array.from(new Intl.Segmenter().segment(text), (one) => one.segment);
}

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
