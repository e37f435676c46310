/** The keys of the page, by what they do (`help.` in the texts); longer names are in the texts, too (`key.`). */
export const AT_THE_TABLE = [
  ["arrows", ["←", "↑", "→", "↓"]],
  ["choose", ["enter"]],
  ["escape", ["escape"]],
  ["numbers", ["1", "…", "9"]],
  ["tab", ["tab"]],
  ["undo", ["U"]],
  ["hint", ["H"]],
  ["again", ["R"]],
  ["sight", ["S"]],
  ["about", ["I"]],
  ["help", ["?"]],
] as const;

export const IN_A_REPLAY = [
  ["replay_step", ["←", "→"]],
  ["replay_turn", ["page_up", "page_down"]],
  ["replay_ends", ["home", "end"]],
  ["replay_play", ["P"]],
  ["together_mark", ["M"]],
  ["together_back", ["B"]],
  ["about", ["I"]],
  ["help", ["?"]],
] as const;
