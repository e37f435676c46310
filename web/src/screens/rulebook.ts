/** The rule book: order and search. */

/** Rules by the number in their id. */
export function inOrder(rules: { readonly [id: string]: string }): [string, string][] {
  const number = (id: string) => Number(/\d+/.exec(id)?.[0] ?? 0);
  return Object.entries(rules).sort(([one], [other]) => number(one) - number(other) || one.localeCompare(other));
}

/** Without accents, capitals or ligatures, as people type when they search. */
export function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/œ/g, "oe")
    .replace(/’/g, "'")
    .normalize("NFD")
    .replace(/\p{Diacritic}/gu, "");
}

/** The rules that hold every word; an id finds that very rule. */
export function found(rules: [string, string][], wanted: string): [string, string][] {
  const words = plain(wanted).split(/\s+/).filter(Boolean);
  if (words.length === 0) return rules;
  const exact = rules.filter(([id]) => words.length === 1 && plain(id) === words[0]);
  return exact.length > 0 ? exact : rules.filter(([, text]) => words.every((word) => plain(text).includes(word)));
}
