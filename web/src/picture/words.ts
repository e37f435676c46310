/** The page's own words where there is no page: in its place when pictures are built (vite.picture.ts). */
import { Texts, type Params } from "../lib/text/messages";

type Messages = { readonly [key: string]: string };

const FILES = import.meta.glob<Messages>("../texts/*/{Replay,shared}.json", { import: "default", eager: true });

const all = (language: string): Messages =>
  Object.assign({}, ...Object.entries(FILES).map(([path, words]) => (path.includes(`/${language}/`) ? words : {})));
const WORDS = { en: new Texts("en", all("en")), fr: new Texts("fr", all("fr")) };
let spoken: "en" | "fr" = "en";

export function speak(language: "en" | "fr"): void {
  spoken = language;
}

export function say(key: string, params: Params = {}): string {
  return WORDS[spoken].say(key, params);
}
