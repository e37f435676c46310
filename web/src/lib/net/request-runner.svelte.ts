/** What somebody asks the server for, one thing at a time; what is refused is said in words. */
import type { Texts } from "../text/messages";
import { showError } from "../text/error-messages";

export class RequestRunner {
  busy = $state(false);

  /** `texts` know the names of the seats. */
  constructor(private readonly texts?: () => Texts) {}

  /** Whether it was done; not, if something else is under way. */
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
