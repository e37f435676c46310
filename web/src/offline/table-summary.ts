/** A table on this device as a list shows it, read from storage without starting Python. */
import { Refused } from "../lib/net/api";
import type { TableInfo } from "../lib/net/protocol";
import { loadSummary } from "./storage";

export async function tableSummary(id: string): Promise<TableInfo> {
  const found = await loadSummary(id);
  if (!found) throw new Refused(404, { error: "Unknown", message: "There is no such table.", key: "no_table" });
  const { game, code, status, created, seats } = found.table;
  return {
    id,
    code,
    game,
    rules: "",
    options: {},
    seats: seats.map((seat, at) => ({ seat: at, kind: seat.kind, name: seat.name ?? "", level: seat.level ?? "" })),
    visibility: "link",
    timer: {},
    status,
    created,
  };
}
