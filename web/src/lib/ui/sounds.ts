/** Short sounds, made here: nothing to download. Silent until switched on. */
import type { Sound } from "../../games/contract";
import { settings } from "../device/settings.svelte";

let context: AudioContext | null = null;

interface Tone {
  wave: OscillatorType | "noise";
  from: number;
  to: number;
  start: number;
  length: number;
  loud: number;
}

const tone = (wave: Tone["wave"], from: number, to: number, start: number, length: number, loud = 0.3): Tone => ({
  wave,
  from,
  to,
  start,
  length,
  loud,
});

const SOUNDS: { [name in Sound]: Tone[] } = {
  step: [tone("noise", 900, 500, 0, 0.05, 0.18), tone("noise", 800, 450, 0.11, 0.05, 0.14)],
  card: [tone("noise", 2600, 1400, 0, 0.07, 0.2)],
  coin: [tone("triangle", 1320, 1320, 0, 0.07), tone("triangle", 1760, 1760, 0.07, 0.18)],
  thud: [tone("sine", 150, 55, 0, 0.2, 0.6), tone("noise", 500, 150, 0, 0.09, 0.3)],
  bell: [
    tone("sine", 988, 980, 0, 0.7, 0.25),
    tone("sine", 2637, 2610, 0, 0.4, 0.1),
    tone("sine", 988, 980, 0.35, 0.8, 0.25),
  ],
  kiss: [tone("sine", 700, 1500, 0, 0.08, 0.3), tone("sine", 1000, 1900, 0.12, 0.1, 0.25)],
  whistle: [tone("square", 2100, 2300, 0, 0.09, 0.06), tone("square", 2250, 2050, 0.12, 0.22, 0.06)],
  slap: [tone("noise", 3000, 700, 0, 0.09, 0.6), tone("sine", 220, 90, 0, 0.1, 0.4)],
  win: [
    tone("triangle", 523, 523, 0, 0.14),
    tone("triangle", 659, 659, 0.13, 0.14),
    tone("triangle", 784, 784, 0.26, 0.14),
    tone("triangle", 1047, 1047, 0.39, 0.4),
  ],
  turn: [tone("triangle", 659, 659, 0, 0.1, 0.2), tone("triangle", 880, 880, 0.1, 0.2, 0.2)],
};

export function play(name: Sound): void {
  if (!settings.sound || typeof AudioContext === "undefined") return;
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume();
  for (const one of SOUNDS[name]) sing(context, one);
}

function sing(audio: AudioContext, one: Tone): void {
  const start = audio.currentTime + one.start;
  const end = start + one.length;
  const gain = audio.createGain();
  gain.gain.setValueAtTime(one.loud * settings.volume, start);
  gain.gain.exponentialRampToValueAtTime(0.0001, end);
  gain.connect(audio.destination);
  if (one.wave === "noise") {
    const filter = audio.createBiquadFilter();
    filter.type = "bandpass";
    filter.frequency.setValueAtTime(one.from, start);
    filter.frequency.exponentialRampToValueAtTime(one.to, end);
    filter.connect(gain);
    const source = audio.createBufferSource();
    source.buffer = noise(audio);
    source.connect(filter);
    source.start(start);
    source.stop(end);
  } else {
    const source = audio.createOscillator();
    source.type = one.wave;
    source.frequency.setValueAtTime(one.from, start);
    source.frequency.exponentialRampToValueAtTime(one.to, end);
    source.connect(gain);
    source.start(start);
    source.stop(end);
  }
}

let hiss: AudioBuffer | null = null;

function noise(audio: AudioContext): AudioBuffer {
  if (hiss) return hiss;
  hiss = audio.createBuffer(1, audio.sampleRate / 2, audio.sampleRate);
  const data = hiss.getChannelData(0);
  for (let at = 0; at < data.length; at++) data[at] = Math.random() * 2 - 1;
  return hiss;
}
