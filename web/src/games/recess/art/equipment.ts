/** The drawings of the equipment, each in a box of 40 a cell. */
import type { Component } from "svelte";
import ClimbingFrame from "./ClimbingFrame.svelte";
import MerryGoRound from "./MerryGoRound.svelte";
import Sandbox from "./Sandbox.svelte";
import Seesaw from "./Seesaw.svelte";
import Slide from "./Slide.svelte";
import Swings from "./Swings.svelte";

type Drawing = Component<{ wide: number; high: number }>;

const DRAWINGS: { readonly [letter: string]: Drawing } = {
  S: Slide,
  M: MerryGoRound,
  T: Seesaw,
  W: Swings,
  B: Sandbox,
  C: ClimbingFrame,
};

export const drawingOf = (letter: string): Drawing => DRAWINGS[letter] ?? Sandbox;
