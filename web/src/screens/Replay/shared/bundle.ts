/** All that only looking together needs: it is loaded when somebody does. */
import { mine } from "../../../lib/device/my-tables.svelte";
import { notices } from "../../../lib/ui/notices.svelte";
import { settings } from "../../../lib/device/settings.svelte";
import { play } from "../../../lib/ui/sounds";
import { say } from "../../../lib/text/words.svelte";
import { forgetLead, leadOf } from "./shared-replay-links";
import type { ReplayScene } from "../replay-scene.svelte";
import { Together } from "./shared-replay.svelte";

export { leadOf, makeLead } from "./shared-replay-links";
export { default as BoardMarks } from "./BoardMarks.svelte";
export { default as TogetherBar } from "./SharedReplayBar.svelte";
export { default as TogetherLink } from "./SharedReplayLink.svelte";

/** Look at a game with all who have the same link; whoever made it leads. */
export function join(id: string, name: string, scene: ReplayScene): Together {
  const lead = leadOf(id, name);
  return new Together(id, name, lead?.key, {
    show: async (step, eyes) => {
      await scene.go(step, eyes);
      const sound = scene.page?.sound(scene.events);
      if (sound) play(sound);
    },
    name: () => scene.names[mine.get(id)?.seats[0] ?? -1] ?? settings.name,
    deposed: () => {
      if (lead) forgetLead(lead);
      notices.show(say("why.not_leading"), "bad");
    },
  });
}
