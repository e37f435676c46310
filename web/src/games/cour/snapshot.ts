/** Dans la cour d'école as a picture. */
import type { GameSnapshot } from "../contract";
import { told } from "./motion";
import type { Shapes } from "./shapes";
import Drawing from "./Snapshot.svelte";

export const snapshot: GameSnapshot<Shapes> = { Drawing, told };
