/** Saves files on the user's device. */
import { api } from "../net/api";

const SOON = 10_000;

export function saveFile(name: string, contents: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(contents);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), SOON); // some browsers read it a little later
}

/** The record of a game that was played on this device. */
export async function saveRecord(table: string, name: string): Promise<void> {
  saveFile(name, new Blob([JSON.stringify(await api.record(table))], { type: "application/json" }));
}
