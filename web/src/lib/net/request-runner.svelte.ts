/** Runs requests of a part of the page, one at a time, and shows what was refused. */
import type { Texts } from "../text/messages";
import { showError } from "../text/error-messages";

export class RequestRunner {
  busy = $state(false);

  /** `texts` know the names of the seats. */
  constructor(private readonly texts?: () => Texts) {}

  /** Run a request. Returns whether it was done: not while another one is running, nor if it was refused. */
  async run(what: () => Promise<unknown>): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    try {
      await what();
      return true;
    } catch (error) {
      showError(error, this.texts?.());
      return false;
    } finally {
      this.busy = false;
    }
  }
}
