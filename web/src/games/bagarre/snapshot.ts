/** La grande bagarre as a picture. */
import type { GameSnapshot } from "../contract";
import { withNames } from "./cards";
import { told } from "./pace";
import type { Shapes } from "./shapes";
import Drawing from "./Snapshot.svelte";

export const snapshot: GameSnapshot<Shapes> = { Drawing, told, texts: withNames };
