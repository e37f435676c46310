/** The other seats, as they sit round the table from the one on `seat`'s left; for a spectator all of them in order. */
export function around(seats: number, seat: number | null): number[] {
  const all = Array.from({ length: seats }, (_, step) => ((seat ?? -1) + 1 + step) % seats);
  return all.filter((other) => other !== seat);
}
