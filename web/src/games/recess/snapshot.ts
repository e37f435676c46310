/** Recess! as a picture. */
import type { GameSnapshot } from "../contract";
import { told } from "./plan";
import type { Shapes } from "./shapes";
import Drawing from "./Snapshot.svelte";

export const snapshot: GameSnapshot<Shapes> = { Drawing, told };
