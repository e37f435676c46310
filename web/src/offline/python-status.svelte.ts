/** How far the page's own Python has been loaded, and what has gone wrong. */
class PythonStatus {
  state = $state<"asleep" | "loading" | "starting" | "ready" | "failed">("asleep");
  /** The share of the bytes that are here. */
  part = $state(0);
  /** The rules that the thinking worker runs, once it does. */
  rules = $state<"none" | "compiled" | "plain">("none");
  /** The user waits for it. */
  wanted = $state(false);
  /** Tables that the browser does not keep. */
  unkept = $state<string[]>([]);

  /** Wait until Python is not being loaded. */
  settled(): Promise<void> {
    let stop = () => undefined as void;
    const settled = new Promise<void>((resolve) => {
      stop = $effect.root(() => {
        $effect(() => {
          if (!this.busy) resolve();
        });
      });
    });
    return settled.finally(stop);
  }

  get busy(): boolean {
    return this.state === "loading" || this.state === "starting";
  }
}

export const pythonStatus = new PythonStatus();
