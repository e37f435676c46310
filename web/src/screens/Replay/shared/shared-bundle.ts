/** Everything that only a shared replay needs; loaded with the first one. */
import { myTables } from "../../../lib/device/my-tables.svelte";
import { notices } from "../../../lib/ui/notices.svelte";
import { settings } from "../../../lib/device/settings.svelte";
import { play } from "../../../lib/ui/sounds";
import { say } from "../../../lib/text/words.svelte";
import { forgetOwnLink, findOwnLink } from "./shared-replay-links";
import type { ReplayScene } from "../replay-scene.svelte";
import { SharedReplay } from "./shared-replay.svelte";

export { findOwnLink, makeOwnLink } from "./shared-replay-links";
export { default as BoardMarks } from "./BoardMarks.svelte";
export { default as SharedReplayBar } from "./SharedReplayBar.svelte";
export { default as SharedReplayLink } from "./SharedReplayLink.svelte";

/** Join a shared replay. The device that made its link leads. */
export function join(id: string, name: string, scene: ReplayScene): SharedReplay {
  const lead = findOwnLink(id, name);
  return new SharedReplay(id, name, lead?.key, {
    show: async (step, eyes) => {
      await scene.go(step, eyes);
      const sound = scene.page?.sound(scene.events);
      if (sound) play(sound);
    },
    name: () => scene.names[myTables.get(id)?.seats[0] ?? -1] ?? settings.name,
    lostLead: () => {
      if (lead) forgetOwnLink(lead);
      notices.show(say("why.not_leading"), "bad");
    },
  });
}
