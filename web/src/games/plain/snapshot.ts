/** A game that nobody has drawn, as a picture. */
import type { GameSnapshot } from "../contract";
import Drawing from "./Snapshot.svelte";

export const snapshot: GameSnapshot = { Drawing };
