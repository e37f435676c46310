/** How the child of each seat looks; its clothes are in the colour of the seat. */
const LOOKS = [
  { girl: false, style: "tuft", skin: "var(--skin-a)", hair: "var(--hair-b)" },
  { girl: true, style: "braids", skin: "var(--skin-b)", hair: "var(--hair-d)" },
  { girl: false, style: "short", skin: "var(--skin-c)", hair: "var(--hair-d)" },
  { girl: true, style: "bob", skin: "var(--skin-d)", hair: "var(--hair-c)" },
  { girl: false, style: "beret", skin: "var(--skin-a)", hair: "var(--hair-a)" },
  { girl: true, style: "curls", skin: "var(--skin-c)", hair: "var(--hair-d)" },
  { girl: false, style: "curls", skin: "var(--skin-b)", hair: "var(--hair-a)" },
  { girl: true, style: "tail", skin: "var(--skin-a)", hair: "var(--hair-b)" },
] as const;

export function look(seat: number): (typeof LOOKS)[number] {
  return LOOKS[seat % LOOKS.length] ?? LOOKS[0];
}
