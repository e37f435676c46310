/** What a person has chosen for this device. */
import { shortenName } from "../text/shorten-name";
import { PACES, type PaceName } from "../table/pace";
import { load, onSaved, save } from "./local-storage";

export type Language = "en" | "fr";
export type Theme = "auto" | "light" | "dark";

interface Saved {
  language: Language;
  theme: Theme;
  sound: boolean;
  volume: number;
  motion: "auto" | "off";
  pace: PaceName;
  /** Answer where there is only one answer. */
  obvious: boolean;
  name: string;
  sight: boolean;
  /** Keep the page on this device, and the Python for games without a server where loading it costs nothing. */
  keep: boolean;
}

const NAMES = ["Zoé", "Lucie", "Malo", "Inès", "Paul", "Nina", "Oscar", "Rose", "Tom", "Ève", "Hugo", "Jade"];

function fresh(): Saved {
  const spoken = navigator.languages?.length ? navigator.languages : [navigator.language];
  const known = spoken.map((tag) => tag.slice(0, 2).toLowerCase()).find((tag) => tag === "en" || tag === "fr");
  const name = NAMES[Math.floor(Math.random() * NAMES.length)] ?? "Zoé";
  const looks = { theme: "auto", motion: "auto", pace: "auto", sight: false } as const;
  return {
    language: (known as Language) ?? "en",
    name,
    sound: false,
    volume: 0.6,
    obvious: true,
    keep: true,
    ...looks,
  };
}

const still = matchMedia("(prefers-reduced-motion: reduce)");

class Settings {
  private saved = $state<Saved>({ ...fresh(), ...load<Partial<Saved>>("settings", {}) });
  private still = $state(still.matches);

  constructor() {
    still.addEventListener("change", () => (this.still = still.matches));
    onSaved("settings", () => Object.assign(this.saved, load<Partial<Saved>>("settings", {})));
    save("settings", this.saved);
  }

  get language(): Language {
    return this.saved.language;
  }
  set language(value: Language) {
    this.change({ language: value });
  }

  get theme(): Theme {
    return this.saved.theme;
  }
  set theme(value: Theme) {
    this.change({ theme: value });
  }

  get sound(): boolean {
    return this.saved.sound;
  }
  set sound(value: boolean) {
    this.change({ sound: value });
  }

  get volume(): number {
    return this.saved.volume;
  }
  set volume(value: number) {
    this.change({ volume: Math.min(1, Math.max(0, value)) });
  }

  get motion(): "auto" | "off" {
    return this.saved.motion;
  }
  set motion(value: "auto" | "off") {
    this.change({ motion: value });
  }

  get pace(): PaceName {
    return PACES.includes(this.saved.pace) ? this.saved.pace : "auto";
  }
  set pace(value: PaceName) {
    this.change({ pace: value });
  }

  get obvious(): boolean {
    return this.saved.obvious;
  }
  set obvious(value: boolean) {
    this.change({ obvious: value });
  }

  get name(): string {
    return this.saved.name;
  }
  set name(value: string) {
    this.change({ name: shortenName(value) });
  }

  get keep(): boolean {
    return this.saved.keep;
  }
  set keep(value: boolean) {
    this.change({ keep: value });
  }

  /** What the nuns of Recess! see is shown on the board. */
  get sight(): boolean {
    return this.saved.sight;
  }
  set sight(value: boolean) {
    this.change({ sight: value });
  }

  /** No motion: chosen here, or wished for by the system. */
  get calm(): boolean {
    return this.saved.motion === "off" || this.still;
  }

  private change(change: Partial<Saved>): void {
    Object.assign(this.saved, change);
    save("settings", this.saved);
  }
}

export const settings = new Settings();
