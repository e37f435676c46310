import { describe, expect, it } from "vitest";
import galleries from "../../../../tests/page/galleries.json";
import bagarreEn from "../../../../src/preau/games/bagarre/texts/en.json";
import bagarreFr from "../../../../src/preau/games/bagarre/texts/fr.json";
import courEn from "../../../../src/preau/games/cour/texts/en.json";
import courFr from "../../../../src/preau/games/cour/texts/fr.json";
import recessEn from "../../../../src/preau/games/recess/texts/en.json";
import recessFr from "../../../../src/preau/games/recess/texts/fr.json";
import { Texts } from "../../lib/text/messages";
import type { Gallery, GameOption } from "../../lib/net/protocol";
import { entriesOf, inGroups, likeness, marked, nearly, search, stem, type Entry } from "./search";

const TEXTS = {
  recess: { en: new Texts("en", recessEn), fr: new Texts("fr", recessFr) },
  bagarre: { en: new Texts("en", bagarreEn), fr: new Texts("fr", bagarreFr) },
  cour: { en: new Texts("en", courEn), fr: new Texts("fr", courFr) },
};
type Game = keyof typeof TEXTS;
type Language = "en" | "fr";

function entries(game: Game, language: Language): Entry[] {
  const { gallery, options } = galleries[game] as unknown as { gallery: Gallery; options: GameOption[] };
  const other = language === "en" ? "fr" : "en";
  return entriesOf(TEXTS[game][language], TEXTS[game][other], gallery.boxes[0]?.things ?? [], options);
}

const found = (game: Game, language: Language, wanted: string): string[] =>
  search(entries(game, language), wanted).map(({ entry }) => `${entry.kind} ${entry.id}`);

/** What newcomers type, and what has to be among the first three hits. */
const WANTED: Record<Game, Record<Language, [string, string][]>> = {
  recess: {
    en: [
      ["how do I win", "rule R36"],
      ["winner", "rule R36"],
      ["tie", "rule R36"],
      ["arm wrestling", "rule R36"],
      ["tattle", "rule R29"],
      ["snitch", "rule R29"],
      ["tell the teacher", "rule R29"],
      ["detention", "rule R34"],
      ["punished", "rule R30"],
      ["kiss", "rule R33"],
      ["end of the game", "rule R35"],
      ["out of time", "rule R38"],
      ["hourglass", "rule R38"],
      ["how many players", "rule R1"],
      ["who starts", "rule R6"],
      ["money", "thing coin"],
      ["coins at the start", "rule R5"],
      ["pin down", "rule R18"],
      ["attack", "rule R18"],
      ["steal a coin", "rule R18"],
      ["push", "rule R28"],
      ["shove", "rule R28"],
      ["what can a nun see", "rule R24"],
      ["line of sight", "rule R24"],
      ["diagonal", "rule R24"],
      ["skip my turn", "rule R9"],
      ["walk through", "rule R14"],
      ["how far can I move", "rule R14"],
      ["safe", "rule R17"],
      ["playground", "rule R2"],
      ["sandbox", "thing sandbox"],
      ["door", "thing boys"],
      ["break up a fight", "rule R20"],
      ["how long is a game", "rule R7"],
      ["longer game", "option turns"],
      ["move the nun", "rule R31"],
      ["mouchard", "rule R29"],
      ["toboggan", "thing slide"],
      ["detentoin", "rule R34"],
    ],
    fr: [
      ["comment on gagne", "rule R36"],
      ["vainqueur", "rule R36"],
      ["égalité", "rule R36"],
      ["bras de fer", "rule R36"],
      ["punition", "rule R30"],
      ["retenue", "rule R34"],
      ["cafter", "rule R29"],
      ["mouchard", "rule R29"],
      ["balance", "rule R29"],
      ["dire à la maîtresse", "rule R29"],
      ["bisou", "rule R33"],
      ["embrasser", "rule R33"],
      ["fin de la partie", "rule R35"],
      ["temps écoulé", "rule R38"],
      ["sablier", "rule R38"],
      ["combien de joueurs", "rule R1"],
      ["qui commence", "rule R6"],
      ["argent", "thing coin"],
      ["voler une pièce", "rule R18"],
      ["taper", "rule R18"],
      ["plaquer", "rule R18"],
      ["pousser", "rule R28"],
      ["regard", "rule R24"],
      ["que voit la bonne soeur", "rule R24"],
      ["diagonale", "rule R24"],
      ["passer son tour", "rule R9"],
      ["traverser", "rule R14"],
      ["avancer", "rule R14"],
      ["abri", "rule R17"],
      ["plateau", "rule R2"],
      ["toboggan", "thing slide"],
      ["balançoire", "thing swings"],
      ["porte", "thing boys"],
      ["séparer une bagarre", "rule R20"],
      ["durée de la partie", "rule R7"],
      ["partie plus courte", "option turns"],
      ["déplacer une bonne sœur", "rule R31"],
      ["tattle", "rule R29"],
      ["kiss", "rule R33"],
      ["embraser", "rule R33"],
    ],
  },
  bagarre: {
    en: [
      ["how do I win", "rule B14"],
      ["ten marbles", "rule B14"],
      ["goal", "option goal"],
      ["tie", "rule B20"],
      ["same number", "rule B20"],
      ["draw a card", "rule B9"],
      ["what can I do on my turn", "rule B7"],
      ["cash in", "rule B8"],
      ["sell a toy", "rule B8"],
      ["exchange toys", "rule B8"],
      ["put down a toy", "rule B10"],
      ["throw away", "rule B11"],
      ["how many cards in hand", "rule B12"],
      ["pile is empty", "rule B13"],
      ["reshuffle", "rule B13"],
      ["steal", "rule B15"],
      ["attack", "rule B15"],
      ["fight", "rule B15"],
      ["defend", "rule B16"],
      ["everybody fights", "rule B17"],
      ["mum", "thing maman"],
      ["call mother", "rule B18"],
      ["grandmother", "thing mamie"],
      ["girlfriend", "thing marie_edwige"],
      ["heart", "thing marie_edwige"],
      ["bicycle", "thing T25"],
      ["train", "thing T24"],
      ["teacher", "thing maitresse"],
      ["bell", "thing cloche"],
      ["confiscate", "thing surveillant"],
      ["swap", "thing echange"],
      ["two players", "rule B22"],
      ["special cards", "rule B23"],
      ["secret", "rule B24"],
      ["who begins", "option first"],
      ["give up", "option may_forfeit"],
      ["how many cards are there", "rule B1"],
      ["vélo", "thing T25"],
      ["tirage", "option first"],
      ["bicicle", "thing T25"],
    ],
    fr: [
      ["comment gagner", "rule B14"],
      ["dix billes", "rule B14"],
      ["but du jeu", "rule B14"],
      ["égalité", "rule B20"],
      ["ex aequo", "rule B20"],
      ["piocher", "rule B9"],
      ["que faire à mon tour", "rule B7"],
      ["échanger un jouet", "rule B8"],
      ["vendre", "rule B8"],
      ["poser un jouet", "rule B10"],
      ["jeter une carte", "rule B11"],
      ["combien de cartes en main", "rule B12"],
      ["pioche vide", "rule B13"],
      ["mélanger", "rule B13"],
      ["voler un jouet", "rule B15"],
      ["attaquer", "rule B15"],
      ["se battre", "rule B15"],
      ["se défendre", "rule B16"],
      ["bagarre générale", "rule B17"],
      ["tout le monde se bat", "rule B17"],
      ["mère", "thing maman"],
      ["appeler maman", "rule B18"],
      ["grand-mère", "thing mamie"],
      ["amoureuse", "thing marie_edwige"],
      ["cœur", "thing marie_edwige"],
      ["coeur", "thing marie_edwige"],
      ["vélo", "thing T25"],
      ["train", "thing T24"],
      ["prof", "thing maitresse"],
      ["sonnerie", "thing cloche"],
      ["confisquer", "thing surveillant"],
      ["troc", "thing echange"],
      ["jouer à deux", "rule B22"],
      ["coup spécial", "rule B23"],
      ["secret", "rule B24"],
      ["qui commence", "option first"],
      ["abandonner", "option may_forfeit"],
      ["combien de cartes", "rule B1"],
      ["bicycle", "thing T25"],
      ["steal", "rule B15"],
      ["attaqeur", "rule B15"],
    ],
  },
  cour: {
    en: [
      ["how do I win", "rule C18"],
      ["tie", "rule C18"],
      ["end of the game", "rule C15"],
      ["last round", "rule C15"],
      ["how many players", "rule C3"],
      ["seven cards", "rule C15"],
      ["count the stars", "rule C16"],
      ["half star", "rule C16"],
      ["row", "rule C16"],
      ["bonus", "rule C17"],
      ["keep a card", "rule C6"],
      ["give a card", "rule C6"],
      ["put back", "rule C6"],
      ["steal", "rule C8"],
      ["slap", "rule C8"],
      ["who is fastest", "rule C8"],
      ["spider", "thing spider"],
      ["butterfly", "thing butterfly"],
      ["rock paper scissors", "thing king"],
      ["duel", "rule C9"],
      ["three leaves", "rule C10"],
      ["chestnut man", "thing chestnut_man"],
      ["friend", "thing friend"],
      ["glue", "thing glue"],
      ["collection", "rule C19"],
      ["set of toys", "rule C19"],
      ["hidden", "rule C20"],
      ["what is secret", "rule C20"],
      ["spy", "thing agent"],
      ["princess", "thing queen"],
      ["my role", "rule C17"],
      ["slow connection", "rule C22"],
      ["who starts", "option first"],
      ["draw cards", "rule C5"],
      ["pile runs out", "rule C7"],
      ["papillon", "thing butterfly"],
      ["chifoumi", "thing king"],
      ["colle", "thing glue"],
      ["buterfly", "thing butterfly"],
    ],
    fr: [
      ["comment gagner", "rule C18"],
      ["égalité", "rule C18"],
      ["fin de la partie", "rule C15"],
      ["dernier tour", "rule C15"],
      ["sept cartes", "rule C15"],
      ["combien de joueurs", "rule C3"],
      ["compter les étoiles", "rule C16"],
      ["demi-étoile", "rule C16"],
      ["rangée", "rule C16"],
      ["bonus", "rule C17"],
      ["garder une carte", "rule C6"],
      ["donner une carte", "rule C6"],
      ["remettre", "rule C6"],
      ["voler", "rule C8"],
      ["chiper", "rule C8"],
      ["le plus rapide", "rule C8"],
      ["araignée", "thing spider"],
      ["papillon", "thing butterfly"],
      ["pierre feuille ciseaux", "thing king"],
      ["défi", "rule C9"],
      ["trois feuilles", "rule C10"],
      ["bonhomme marron", "thing chestnut_man"],
      ["copain", "thing friend"],
      ["colle", "thing glue"],
      ["collection", "rule C19"],
      ["caché", "rule C20"],
      ["secret", "rule C20"],
      ["espion", "thing agent"],
      ["princesse", "thing queen"],
      ["mon rôle", "rule C17"],
      ["réseau lent", "rule C22"],
      ["qui commence", "option first"],
      ["piocher", "rule C5"],
      ["tas vide", "rule C7"],
      ["combien de cartes", "rule C1"],
      ["spider", "thing spider"],
      ["glue", "thing glue"],
      ["araignee", "thing spider"],
      ["papilon", "thing butterfly"],
    ],
  },
};

describe.each(Object.keys(WANTED) as Game[])("%s", (game) => {
  describe.each(["en", "fr"] as const)("%s", (language) => {
    it("there are words enough", () => expect(WANTED[game][language].length).toBeGreaterThanOrEqual(25));

    it.each(WANTED[game][language])("“%s” leads to %s", (wanted, expected) => {
      expect(found(game, language, wanted).slice(0, 3)).toContain(expected);
    });
  });
});

it("an id finds that very rule, and nothing typed finds nothing", () => {
  expect(found("recess", "en", "r9")).toEqual(["rule R9"]);
  expect(found("recess", "en", "  ")).toEqual([]);
});

it("what nobody has a word for is not found", () => {
  expect(found("recess", "en", "submarine")).toEqual([]);
  expect(found("cour", "fr", "xyz")).toEqual([]);
});

it("a word that nobody knows does not hide what the others find", () => {
  const hits = found("recess", "en", "kiss a submarine");
  expect(hits[0]).toBe("rule R33");
});

it("accents, capitals and ligatures do not matter", () => {
  expect(found("recess", "fr", "BONNE SOEUR")).toEqual(found("recess", "fr", "bonne sœur"));
  expect(found("recess", "fr", "EGALITE")).toEqual(found("recess", "fr", "égalité"));
});

it("words of one family are alike", () => {
  for (const [one, other] of [
    ["win", "winner"],
    ["winning", "wins"],
    ["tattle", "tattling"],
    ["steal", "stealing"],
    ["gagner", "gagnant"],
    ["rapporter", "rapporteurs"],
    ["pieces", "pièces".normalize("NFD").replace(/\p{Diacritic}/gu, "")],
  ] as const) {
    expect(stem(one)).toBe(stem(other));
  }
  expect(stem("nun")).not.toBe(stem("run"));
});

it("a long word may have one letter wrong, a short one none", () => {
  expect(nearly("detentoin", "detention")).toBe(true);
  expect(nearly("detntion", "detention")).toBe(true);
  expect(nearly("deetention", "detention")).toBe(true);
  expect(nearly("detantion", "detention")).toBe(true);
  expect(nearly("detantoin", "detention")).toBe(false);
  expect(nearly("detention", "detention")).toBe(false);
  expect(likeness("detantion", "detention")).toBeGreaterThan(0);
  expect(likeness("nan", "nun")).toBe(0);
});

it("what answers is marked, as it is written", () => {
  expect(marked("La bonne sœur avance.", "soeurs")).toEqual([
    { text: "La", hit: false },
    { text: " ", hit: false },
    { text: "bonne", hit: false },
    { text: " ", hit: false },
    { text: "sœur", hit: true },
    { text: " ", hit: false },
    { text: "avance", hit: false },
    { text: ".", hit: false },
  ]);
});

it("a hit by a word that is not shown says which", () => {
  const hit = search(entries("recess", "en"), "mouchard").find(({ entry }) => entry.id === "R29");
  expect(hit?.by).toEqual(["mouchard"]);
  expect(search(entries("recess", "en"), "tells")[0]?.by).toEqual([]);
});

it("without the other language, or a gallery, what there is is found", () => {
  const own = entriesOf(TEXTS.cour.en, null, [], []);
  expect(search(own, "butterfly")[0]?.entry.id).toBe("C8");
  expect(search(own, "papillon")).toEqual([]);
});

it("hits come by kind, the best first", () => {
  const groups = inGroups(search(entries("cour", "en"), "spider"));
  expect(groups[0]?.[0]).toBe("thing");
  expect(groups.map(([kind]) => kind)).toContain("rule");
});
