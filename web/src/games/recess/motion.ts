/** Moving a figure over the stage with the browser's own animations. */
import { corner, transformTo, waiting, type Layout, type Spot } from "./layout";
import type { Leg } from "./plan";
import { isCell, type PieceId } from "./view";

const EASING = { walk: "ease-in-out", shove: "cubic-bezier(.2,.9,.4,1.2)", glide: "ease-in-out", fly: "ease-in-out" };

/** Starts the way of one figure from where it stood to where it stands now, leg by leg. */
export function journey(
  figure: HTMLElement,
  piece: PieceId,
  start: Spot,
  end: Spot,
  legs: Leg[],
  layout: Layout,
  seats: number,
): Animation[] {
  const lasts = Math.max(1, ...legs.map((leg) => leg.at + leg.lasts));
  const frames: Keyframe[] = [{ offset: 0, transform: transformTo(start) }];
  let spot = start;
  legs.forEach((leg, number) => {
    frames.push({ offset: leg.at / lasts, transform: transformTo(spot), easing: EASING[leg.gait] });
    leg.path.forEach((place, step) => {
      const arrived = number === legs.length - 1 && step === leg.path.length - 1;
      spot = arrived ? end : isCell(place) ? { ...corner(layout, place), size: 1 } : waiting(layout, piece, seats);
      const offset = (leg.at + (leg.lasts * (step + 1)) / leg.path.length) / lasts;
      frames.push({ offset: Math.min(1, offset), transform: transformTo(spot), easing: EASING[leg.gait] });
    });
  });
  const body = figure.firstElementChild;
  const running = [figure.animate(frames, { duration: lasts, fill: "backwards" })];
  for (const leg of legs) {
    if (leg.gait === "glide" || !body) continue;
    const steps = leg.gait === "walk" ? leg.path.length : 1;
    const up = { walk: -16, shove: -6, fly: -70 }[leg.gait];
    const lean = { walk: 5, shove: -14, fly: 25 }[leg.gait];
    const hop = [
      { transform: "translateY(-3%) rotate(0deg)", easing: "ease-out" },
      { transform: `translateY(${up}%) rotate(${lean}deg)`, easing: "ease-in" },
      { transform: "translateY(-3%) rotate(0deg)" },
    ];
    running.push(body.animate(hop, { delay: leg.at, duration: leg.lasts / steps, iterations: steps }));
  }
  return running;
}

/** A small step aside, after `delay`: somebody else came or went. */
export function makeRoom(figure: HTMLElement, start: Spot, end: Spot, delay: number): Animation {
  const frames = [{ transform: transformTo(start) }, { transform: transformTo(end) }];
  return figure.animate(frames, { duration: 160, delay, fill: "backwards", easing: "ease-out" });
}
