/** Plays the only legal action without asking, where the player wants that. */
import { settings } from "../device/settings.svelte";

/** The delay in milliseconds before waiting players get the answer: random, so that it does not tell that there was only one. */
const SHORTEST = 1_500;
const SPREAD = 3_000;

/** What has to be known of a table. */
interface Player {
  readonly legal: string[];
  /** The number of the question; another number is another question. */
  readonly asked: number;
  /** Whether only bots wait for the answer. */
  readonly onlyBotsWait: boolean;
  isUrgent(legal: string[]): boolean;
  act(action: string): void;
}

export class ForcedMove {
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** Something was taken back: until the player acts again, nothing is played for them. */
  private paused = false;

  constructor(private readonly player: Player) {}

  /** Whether `legal` will be played as soon as everything has been shown, so that the player is not asked. */
  isCertain(legal: string[]): boolean {
    return legal.length === 1 && this.mayPlay(legal) && this.player.onlyBotsWait;
  }

  /** Play the only legal action: at once if only bots wait for it, else after a delay. */
  play(): void {
    this.cancel();
    const { player } = this;
    const [only, ...others] = player.legal;
    if (only === undefined || others.length > 0 || !this.mayPlay(player.legal)) return;
    const { asked } = player;
    const answer = () => {
      if (player.asked === asked && player.legal[0] === only && player.legal.length === 1) player.act(only);
    };
    if (player.onlyBotsWait) answer();
    else this.timer = setTimeout(answer, SHORTEST + Math.random() * SPREAD);
  }

  cancel(): void {
    clearTimeout(this.timer);
  }

  pause(): void {
    this.paused = true;
  }

  resume(): void {
    this.paused = false;
  }

  private mayPlay(legal: string[]): boolean {
    return settings.obvious && !this.paused && !this.player.isUrgent(legal);
  }
}
