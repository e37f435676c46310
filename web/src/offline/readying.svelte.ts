/** How far the page's own Python is on its way, and what has gone wrong there. */
class Readying {
  state = $state<"asleep" | "loading" | "starting" | "ready" | "failed">("asleep");
  /** The share of the bytes that are here. */
  part = $state(0);
  /** The rules that whoever thinks has, once somebody does. */
  rules = $state<"none" | "compiled" | "plain">("none");
  /** Tables that the browser does not keep. */
  unkept = $state<string[]>([]);

  get busy(): boolean {
    return this.state === "loading" || this.state === "starting";
  }
}

export const readying = new Readying();
