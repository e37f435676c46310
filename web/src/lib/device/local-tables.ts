/** Tables on this device: they are played without a server (../offline), and begin like this. No id of a server does. */
export function isLocal(table: string): boolean {
  return table.startsWith("local");
}

/** Whether a table with these seats can be on this device: no player has to join from elsewhere. */
export function fitsHere(seats: readonly { kind?: string }[]): boolean {
  return seats.every(({ kind }) => kind === "me" || kind === "bot");
}
