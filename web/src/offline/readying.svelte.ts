/** How far the page's own Python is on its way. */
class Readying {
  state = $state<"asleep" | "loading" | "starting" | "ready" | "failed">("asleep");
  /** The share of the bytes that are here. */
  part = $state(0);

  get busy(): boolean {
    return this.state === "loading" || this.state === "starting";
  }
}

export const readying = new Readying();
