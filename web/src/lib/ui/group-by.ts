/** Things under what they have in common, in the order in which they come. */
export function groupBy<Kind, Thing>(things: readonly Thing[], kindOf: (thing: Thing) => Kind): [Kind, Thing[]][] {
  const found = new Map<Kind, Thing[]>();
  for (const thing of things) {
    const kind = kindOf(thing);
    found.set(kind, [...(found.get(kind) ?? []), thing]);
  }
  return [...found];
}
