/** All that only looking together needs: it is loaded when somebody does. */
import { mine } from "../../lib/mine.svelte";
import { notices } from "../../lib/notices.svelte";
import { settings } from "../../lib/settings.svelte";
import { play } from "../../lib/sounds";
import { say } from "../../lib/words.svelte";
import { forgetLead, leadOf } from "../leads";
import type { ReplayScene } from "../scene.svelte";
import { Together } from "../together.svelte";

export { leadOf, makeLead } from "../leads";
export { default as BoardMarks } from "./BoardMarks.svelte";
export { default as TogetherBar } from "./TogetherBar.svelte";
export { default as TogetherLink } from "./TogetherLink.svelte";

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
