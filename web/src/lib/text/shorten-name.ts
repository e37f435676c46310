/** Names as long as they may be. */
/** How long a name may be, as the server counts: in code points. */
const LONGEST = 24;

/** A name as it may be sent: it ends between two letters, never within one or within an emoji. */
export function shortenName(name: string): string {
  let kept = "";
  for (const letter of letters(name.trim())) {
    if ([...kept, ...letter].length > LONGEST) break;
    kept += letter;
  }
  return kept;
}

/** What readers take for single letters; browsers before 2024 may not know. */
function letters(text: string): string[] {
  if (!("Segmenter" in Intl)) return [...text];
  return Array.from(new Intl.Segmenter().segment(text), (one) => one.segment);
}
