import { describe, expect, it } from "vitest";
import en from "../../../../src/preau/games/bagarre/texts/en.json";
import fr from "../../../../src/preau/games/bagarre/texts/fr.json";
import { Texts } from "../../lib/text/messages";
import { about, kindOf, pictureName, pictureOf, toyOf, withNames, worth } from "./cards";
import { choices } from "./choices";
import { cardClick, drop, toyClick } from "./clicks";
import { flights, MARBLE } from "./flights";
import { drawn, MOST_DRAWN, place } from "./jar";
import { nearest } from "./keys";
import { goal } from "./goal";
import { pause, sound, told } from "./pace";
import { type Clash, type Tale, tell, topOf } from "./tale";
import { ENGLISH, options, other, own, scene, view } from "./testing";
import { type Event, handKeys, type View } from "./view";

const ACTIONS = ["lay T07", "fight T13", "fight T25", "special cloche", "discard F3", "discard F8", "discard T07"];

const OWN_SET = {
  toys: {
    cards: [
      { fr: "Fusée", en: "rocket", value: 9, general: false },
      { fr: "Yoyo", en: "Yo-Yo", value: 1, general: true },
    ],
  },
};

describe("cards", () => {
  it("tells kinds apart", () => {
    expect(["F1", "T01", "T99", "maman", "cloche"].map(kindOf)).toEqual(["friend", "toy", "toy", "special", "special"]);
  });

  it("reads values from the shipped sets", () => {
    expect(toyOf(view(), "T03")).toMatchObject({ value: 1, second: 2, general: false });
    expect(toyOf(view({ options: options("leaflet") }), "T03")?.second).toBeUndefined();
    expect(toyOf(view(), "F3")).toBeNull();
    expect(worth(view(), 1)).toBe(2 + 4);
  });

  it("has a picture of its own for every card of the shipped sets", () => {
    const friends = Array.from({ length: 8 }, (_, n) => `F${n + 1}`);
    const toys = Array.from({ length: 25 }, (_, n) => `T${String(n + 1).padStart(2, "0")}`);
    const moves = Object.keys(en).filter((key) => key.startsWith("effect."));
    const all = [...friends, ...toys, ...moves.map((key) => key.slice(7))];
    const pictures = new Set(all.map((card) => pictureOf(view(), card)));
    expect(all).toHaveLength(42);
    expect(pictures.size).toBe(42);
    expect(pictures).not.toContain(pictureOf(view(), "T77"));
  });

  it("names and draws the toys of another set", () => {
    const seen = view({ options: options(OWN_SET) });
    expect(withNames(ENGLISH, seen).say("card.T01")).toBe("rocket");
    expect(withNames(new Texts("fr", fr), seen).say("card.T01")).toBe("Fusée");
    expect(withNames(ENGLISH, seen).say("event.lay", { seat: 1, card: "T01" })).toBe("Bob lays the rocket.");
    expect(pictureName(seen, "T01")).toBe("toy");
    expect(pictureName(seen, "T02")).toBe("T01");
    expect(withNames(ENGLISH, view()).say("card.T01")).toBe("yo-yo");
  });

  it("says what a card is", () => {
    expect(about(ENGLISH, view(), "T25")).toBe("bicycle · worth 4 marbles · 4 from Marie-Edwige · general fight");
    expect(about(ENGLISH, view(), "cloche")).toContain("pass to the left");
    expect(about(ENGLISH, view(), "F3")).toBe("friend 3 · fights for toys: the higher number wins");
  });
});

describe("choices", () => {
  it("groups the action of a turn by card, and all fights in one", () => {
    const found = choices(scene(view(), ACTIONS));
    expect(found.groups.map((group) => group.id)).toEqual(["F3", "F8", "T07", "cloche", "maman", "fight"]);
    const of = (group: string) => found.choices.filter((one) => one.group === group);
    const labels = (group: string) => of(group).map((one) => one.label);
    expect(labels("T07")).toEqual(["Lay the harmonica", "Discard the harmonica"]);
    expect(labels("fight")).toEqual(["Kite (Bob)", "Bicycle (Bob)"]);
    expect(labels("F3")).toEqual(["Fight: kite (Bob)", "Fight: bicycle (Bob)", "Discard friend 3"]);
    expect(of("F8").map((choice) => choice.action)).toEqual(["fight T13", "fight T25", "discard F8"]);
    expect(new Set(found.choices.map((choice) => choice.action))).toEqual(new Set(ACTIONS));
    const none = choices(scene(view({ ban: 1 }), ["discard F3"]));
    expect(none.groups.map((group) => group.id)).not.toContain("fight");
  });

  it("shows everything at once elsewhere", () => {
    const found = choices(scene(view({ phase: "turn" }), ["draw", "convert T01"]));
    expect(found.groups).toEqual([]);
    expect(found.choices).toEqual([
      { action: "draw", label: "Draw a card" },
      { action: "convert T01", label: "Yo-yo for 1 marble", means: "Then you have 1 of 10." },
    ]);
  });

  it("says what would come of it", () => {
    const meant = (seen: View, action: string, legal = [action]) =>
      choices(scene(seen, legal)).choices.find((one) => one.action === action)?.means;
    expect(meant(view(), "fight T13")).toBe("The higher friend wins. You two may call Maman.");
    expect(meant(view(), "fight T25")).toBe("All may join in; the highest friend wins. Maman can stop it.");
    const bare = view({ prompt: { key: "prompt.action", seats: [0], general: [], maman: false } });
    expect(meant(bare, "fight T25")).toBe("The higher friend wins.");
    expect(meant(view(), "special cloche")).toBe(ENGLISH.say("effect.cloche"));
    expect(meant(view(), "discard F3")).toContain("nobody else has one in front");
    expect(meant(view({ ban: 1 }), "discard F3")).toContain("no fights just now");
    expect(meant(view(), "discard F3", ACTIONS)).toBeUndefined();
    expect(meant(view(), "discard T07")).toBeUndefined();
    expect(meant(view(), "discard maman")).toBe(ENGLISH.say("effect.maman"));
    expect(meant(view(), "discard cloche", ["special cloche", "discard cloche"])).toBeUndefined();
    const window = view({ phase: "maman", toy: "T13", owner: 1 });
    expect(meant(window, "maman yes")).toBe("The fight stops; Bob keeps the kite.");
    expect(meant(window, "maman no")).toBeUndefined();
    expect(meant(view({ phase: "answer", toy: "T13", owner: 0 }), "forfeit")).toBe(
      "You lose the kite, and keep your friends.",
    );
    expect(meant(view({ phase: "give", special: "marie_edwige" }), "give T03")).toBe("Then you have 2 of 10.");
    expect(meant(view({ phase: "give", special: "echange" }), "give T03")).toBeUndefined();
  });

  it("names the price that Marie-Edwige pays", () => {
    const asked = view({ phase: "give", special: "marie_edwige" });
    expect(choices(scene(asked, ["give T03"])).choices[0]?.label).toBe("Knucklebones for 2 marbles");
    expect(choices(scene(view({ phase: "give", special: "echange" }), ["give T03"])).choices[0]?.label).toBe(
      "Knucklebones",
    );
  });

  it("has a text for every form of action", () => {
    const forms = ["draw", "done", "forfeit", "maman yes", "maman no", "convert T01", "lay T07", "fight T13"];
    forms.push("special cloche", "discard F3", "place F3", "take T13", "give T01", "seat 1");
    for (const phase of ["action", "convert", "lay_more"] as const) {
      for (const { label } of choices(scene(view({ phase }), forms)).choices) expect(label).not.toContain("⟨");
    }
  });
});

describe("clicks", () => {
  it("puts a friend against a toy, whichever is picked first", () => {
    expect(toyClick(scene(view(), ACTIONS, "F3"), view(), "T13")).toEqual({ action: "fight T13", friend: "F3" });
    expect(toyClick(scene(view(), ACTIONS), view(), "T13")).toEqual({ aim: "T13" });
    const aiming = scene(view(), ACTIONS, "fight");
    expect(cardClick(aiming, view(), "F8", "T13")).toEqual({ action: "fight T13", friend: "F8" });
    expect(cardClick(aiming, view(), "T07", "T13")).toEqual({ pick: "T07" });
    expect(cardClick(aiming, view(), "F8")).toEqual({ pick: "F8" });
  });

  it("acts at once where one click says it all", () => {
    const turn = view({ phase: "turn" });
    expect(toyClick(scene(turn, ["draw", "convert T01"]), turn, "T01")).toEqual({ action: "convert T01" });
    const answer = view({ phase: "answer" });
    expect(cardClick(scene(answer, ["place F3"]), answer, "F3")).toEqual({ action: "place F3" });
    const window = view({ phase: "maman" });
    expect(cardClick(scene(window, ["maman no", "maman yes"]), window, "maman")).toEqual({ action: "maman yes" });
    const excess = view({ phase: "excess" });
    expect(cardClick(scene(excess, ["discard F3"]), excess, "F3")).toEqual({ action: "discard F3" });
  });

  it("sends what is not legal, to hear why", () => {
    const banned = view({ ban: 2 });
    expect(toyClick(scene(banned, ["discard F3"]), banned, "T13")).toEqual({ action: "fight T13" });
    expect(toyClick(scene(view(), ACTIONS), view(), "T01")).toEqual({ action: "convert T01" });
    const answer = view({ phase: "answer" });
    expect(cardClick(scene(answer, ["place F3"]), answer, "T07")).toEqual({ action: "lay T07" });
    const take = view({ phase: "take", special: "echange" });
    expect(toyClick(scene(take, ["take T13"]), take, "T01")).toEqual({ action: "take T01" });
  });

  it("does with a dropped card what the place is for", () => {
    const at = scene(view(), ACTIONS);
    expect(drop(at, view(), "F3", "toy:T13")).toEqual({ action: "fight T13", friend: "F3" });
    expect(drop(at, view(), "F3", "discard")).toEqual({ action: "discard F3" });
    expect(drop(at, view(), "T07", "front")).toEqual({ action: "lay T07" });
    expect(drop(at, view(), "T07", "toy:T01")).toEqual({ action: "lay T07" });
    expect(drop(at, view(), "cloche", "tale")).toEqual({ action: "special cloche" });
    expect(drop(at, view(), "F3", "jar:0")).toEqual({});
    const answer = view({ phase: "answer" });
    expect(drop(scene(answer, ["place F3"]), answer, "F3", "down:0")).toEqual({ action: "place F3" });
    expect(drop(scene(view(), []), view(), "F3", "discard")).toEqual({});
  });

  it("only shows a card when it is somebody else's turn", () => {
    expect(cardClick(scene(view(), []), view(), "F3")).toEqual({ look: "F3" });
    expect(toyClick(scene(view(), []), view(), "T13")).toEqual({ look: "T13" });
  });
});

describe("the tale in the middle", () => {
  const fight: Event = { key: "fight", rule: "", seat: 0, card: "T13", owner: 1 };

  function play(...steps: [View, Event[]][]): Tale {
    return steps.reduce<Tale>((tale, [seen, events]) => tell(tale, seen, events), null);
  }

  const attack = view({ phase: "attack", toy: "T13", owner: 1, round: 1 });
  const placed = view({
    phase: "answer",
    toy: "T13",
    owner: 1,
    round: 1,
    players: [own({ hand: ["F3"], placed: "F8" }), other({ front: ["T13"] }), other()],
  });
  const window: View = {
    ...placed,
    phase: "maman",
    players: [own({ hand: ["F3"], placed: "F8" }), other({ front: ["T13"], placed: true }), other()],
  };
  const after = view({ active: 1, phase: "action" });

  it("follows a duel to its end, which the view no longer shows", () => {
    const begun = play([attack, [fight]]) as Clash;
    expect(begun).toMatchObject({ kind: "clash", stake: "T13", attacker: 0, owner: 1, outcome: "", said: fight });
    const down = play(
      [attack, [fight]],
      [placed, [{ key: "down", rule: "", seat: 0, card: "F8" }]],
      [window, [{ key: "down", rule: "", seat: 1, card: "hidden" }]],
    ) as Clash;
    expect(down.sides).toEqual([
      { seat: 0, cards: ["F8"], down: true },
      { seat: 1, cards: [null], down: true },
    ]);
    const shown: Event[] = [
      { key: "show", rule: "", seat: 0, card: "F8" },
      { key: "show", rule: "", seat: 1, card: "F2" },
      { key: "win_toy", rule: "", seat: 0, card: "T13", owner: 1 },
      { key: "draw", rule: "", seat: 0, card: "F4" },
    ];
    const ended = tell(down, after, shown) as Clash;
    expect(ended).toMatchObject({ outcome: "won", by: 0 });
    expect(ended.sides).toEqual([
      { seat: 0, cards: ["F8"], down: false },
      { seat: 1, cards: ["F2"], down: false },
    ]);
    expect(tell(ended, after, [{ key: "draw", rule: "", seat: 1, card: "hidden" }])).toBe(ended);
    expect(tell(ended, after, [{ key: "lay", rule: "", seat: 1, card: "T02" }])).toMatchObject({
      kind: "deed",
      card: "T02",
    });
  });

  it("keeps the cards of earlier rounds after a tie", () => {
    const tied: View = {
      ...window,
      phase: "answer",
      round: 2,
      turned: [
        [0, "F8"],
        [1, "F8"],
      ],
      players: [own({ hand: ["F3"] }), other({ front: ["T13"] }), other()],
    };
    const tie: Event = { key: "tie", rule: "", seats: [0, 1] };
    const tale = play(
      [window, []],
      [tied, [{ key: "show", rule: "", seat: 0, card: "F8" }, { key: "show", rule: "", seat: 1, card: "F8" }, tie]],
    ) as Clash;
    expect(tale).toMatchObject({ outcome: "tie", said: tie });
    expect(tale.sides.map((side) => side.cards)).toEqual([["F8"], ["F8"]]);
    const kept: Event[] = [
      { key: "no_friend", rule: "", seat: 0 },
      { key: "keep_toy", rule: "", seat: 1, card: "T13", owner: 1 },
    ];
    expect(tell(tale, after, kept)).toMatchObject({ outcome: "kept", by: 1, out: [0] });
  });

  it("lets Maman end it and takes hidden friends back", () => {
    const before = play([window, []]);
    const tale = tell(before, after, [
      { key: "maman", rule: "", seat: 1, card: "T13", owner: 1 },
      { key: "take_back", rule: "", seats: [0, 1] },
    ]) as Clash;
    expect(tale).toMatchObject({ outcome: "maman", by: 1 });
    expect(tale.sides.every((side) => side.cards.length === 0 && !side.down)).toBe(true);
  });

  it("shows a fight of which only the end was seen, whoever looks and whatever is asked next", () => {
    const shown: Event[] = [
      { key: "show", rule: "", seat: 0, card: "F8" },
      { key: "show", rule: "", seat: 1, card: "F2" },
      { key: "show", rule: "", seat: 2, card: "F5" },
    ];
    const won: Event = { key: "win_toy", rule: "", seat: 0, card: "T13", owner: 1 };
    const seen = { kind: "clash", stake: "T13", attacker: 0, owner: 1, outcome: "won", by: 0, said: won };
    const cards = [["F8"], ["F2"], ["F5"]];
    const open = tell(null, view({ seat: null, active: 0, phase: "fill" }), [...shown, won]) as Clash;
    expect(open).toMatchObject(seen);
    expect(open.sides.map((side) => side.cards)).toEqual(cards);
    const next: Event = { key: "turn", rule: "", seat: 1, turn: 5 };
    const asked = view({ seat: 2, active: 1, phase: "turn" });
    expect(tell(null, asked, [...shown, won, next])).toMatchObject(seen);
    const lost: Event = { key: "bet_won", rule: "", seat: 2, owner: 0, marbles: 1 };
    expect(
      tell(null, view({ active: 0, phase: "fill" }), [...shown.slice(0, 1), shown[2] as Event, lost]),
    ).toMatchObject({
      stake: null,
      attacker: 0,
      owner: 2,
      special: "partie_de_billes",
      sides: [
        { seat: 0, cards: ["F8"] },
        { seat: 2, cards: ["F5"] },
      ],
    });
  });

  it("tells a game of marbles and the champion", () => {
    const bet = view({ phase: "reply", special: "partie_de_billes", owner: 2 });
    const tale = play([
      bet,
      [
        { key: "challenge", rule: "", seat: 0, owner: 2 },
        { key: "down", rule: "", seat: 0, card: "F1" },
      ],
    ]);
    expect(tale).toMatchObject({ stake: null, attacker: 0, owner: 2, outcome: "" });
    const won: Event = { key: "bet_won", rule: "", seat: 2, owner: 0, marbles: 1 };
    expect(
      tell(tale, after, [
        { key: "down", rule: "", seat: 2, card: "hidden" },
        { key: "show", rule: "", seat: 0, card: "F1" },
        { key: "show", rule: "", seat: 2, card: "F5" },
        won,
      ]),
    ).toMatchObject({
      outcome: "won",
      by: 2,
      sides: [{ cards: ["F1"] }, { cards: ["F5"] }],
    });
    const claimed = view({ phase: "maman", special: "championne", toy: "T25", owner: 1 });
    expect(play([claimed, [{ key: "claim", rule: "", seat: 0, card: "T25", owner: 1 }]])).toMatchObject({
      special: "championne",
      sides: [{ seat: 0 }],
    });
  });

  it("shows what a special move did, and nothing after loading", () => {
    expect(
      play([
        after,
        [
          { key: "special", rule: "", seat: 0, card: "cloche" },
          { key: "bell", rule: "", seat: 0, hand: ["F1", "T02"] },
        ],
      ]),
    ).toMatchObject({ kind: "deed", card: "cloche", event: { key: "bell", rule: "", hand: "hidden" } });
    expect(play([after, []])).toBeNull();
    expect(play([attack, [fight]], [after, []])).toBeNull();
  });

  it("puts third seats of a general fight in order round the table", () => {
    const general: View = {
      ...placed,
      active: 1,
      owner: 0,
      players: [own({ placed: "F8" }), other({ placed: true }), other({ placed: true })],
    };
    const tale = play([general, []]) as Clash;
    expect(tale.sides.map((side) => side.seat)).toEqual([1, 2, 0]);
  });
});

describe("the top of the discard", () => {
  it("is what was put away last, if that still lies there", () => {
    const seen = view({ discard: { F2: 1, F8: 1, maman: 1 } });
    expect(topOf(null, view(), [])).toBeNull();
    expect(topOf(null, seen, [])).toBe("maman");
    expect(
      topOf(null, seen, [
        { key: "discard", rule: "", seat: 1, card: "F8" },
        { key: "draw", rule: "", seat: 1, card: "hidden" },
      ]),
    ).toBe("F8");
    expect(topOf("F8", seen, [{ key: "draw", rule: "", seat: 1, card: "hidden" }])).toBe("F8");
    expect(topOf("F8", seen, [{ key: "maman", rule: "", seat: 1, card: "T13", owner: 1 }])).toBe("maman");
    expect(topOf("T01", seen, [{ key: "lay", rule: "", seat: 1, card: "F2" }])).toBe("maman");
  });
});

describe("flights", () => {
  it("shows the own draw from the front and the others' from behind", () => {
    const events: Event[] = [
      { key: "draw", rule: "", seat: 0, card: "F3" },
      { key: "draw", rule: "", seat: 1, card: "hidden" },
    ];
    expect(flights(events, 0, 3)).toMatchObject([
      { thing: "F3", from: ["pile"], to: ["held:F3", "hand:0"] },
      { thing: null, from: ["pile"], to: ["hand:1"] },
    ]);
  });

  it("waits for the cards to be turned before the toy moves", () => {
    const [toy] = flights(
      [
        { key: "show", rule: "", seat: 0, card: "F8" },
        { key: "win_toy", rule: "", seat: 0, card: "T13", owner: 1 },
      ],
      0,
      3,
    );
    expect(toy?.at).toBeGreaterThanOrEqual(600);
  });

  it("lets as many marbles fly as are won", () => {
    const found = flights([{ key: "convert", rule: "", seat: 1, card: "T25", marbles: 4, total: 4 }], 0, 3);
    expect(found.filter((flight) => flight.thing === MARBLE)).toHaveLength(4);
  });

  it("passes all hands to the left with the bell", () => {
    expect(flights([{ key: "bell", rule: "", seat: 0, hand: "hidden" }], 0, 3).map((flight) => flight.to)).toEqual([
      ["hand:1"],
      ["hand:2"],
      ["hand:0"],
    ]);
  });
});

describe("small parts", () => {
  it("names equal cards apart", () => {
    expect(handKeys(["F3", "F3", "T01"])).toEqual(["F3#0", "F3#1", "T01#0"]);
  });

  it("keeps every marble inside the jar, and apart", () => {
    const spots = Array.from({ length: MOST_DRAWN }, (_, n) => place(n));
    for (const { x, y } of spots) {
      expect(x).toBeGreaterThan(8);
      expect(x).toBeLessThan(32);
      expect(y).toBeGreaterThan(4);
    }
    expect(new Set(spots.map(({ x, y }) => `${x} ${y}`)).size).toBe(MOST_DRAWN);
  });

  it("draws a share of a large goal", () => {
    expect([drawn(0, 10), drawn(7, 10), drawn(13, 10), drawn(1, 99), drawn(99, 99)]).toEqual([0, 7, 13, 1, 12]);
  });

  it("finds the nearest thing in a direction", () => {
    const box = (x: number, y: number) => ({ x, y, width: 10, height: 10 });
    const boxes = [box(30, 0), box(60, 0), box(0, 50), box(-40, 5)];
    expect(nearest(box(0, 0), boxes, [1, 0])).toBe(0);
    expect(nearest(box(0, 0), boxes, [0, 1])).toBe(2);
    expect(nearest(box(0, 0), boxes, [-1, 0])).toBe(3);
    expect(nearest(box(0, 0), boxes, [0, -1])).toBe(-1);
  });

  it("gives every card that is turned its time, within bounds", () => {
    const turn: Event = { key: "turn", rule: "", seat: 0, turn: 1 };
    const draw: Event = { key: "draw", rule: "", seat: 0, card: "hidden" };
    const show: Event = { key: "show", rule: "", seat: 0, card: "F3" };
    const bell: Event = { key: "bell", rule: "", seat: 0, hand: "hidden" };
    const answer: Event = { key: "answer", rule: "", seat: 0, answer: "hidden" };
    expect([[draw], [show], [show, show], [show, show, show, show, show]].map(pause)).toEqual([250, 2000, 3000, 4000]);
    expect(pause([turn, answer])).toBe(0);
    expect(sound([draw, bell])).toBe("bell");
    expect(sound([turn])).toBeNull();
  });

  it("tells the end of a fight before its cards, and nothing that says nothing", () => {
    const answer: Event = { key: "answer", rule: "", seat: 1, answer: "hidden" };
    const show: Event = { key: "show", rule: "", seat: 0, card: "F3" };
    const kept: Event = { key: "keep_toy", rule: "", seat: 1, card: "T13", owner: 1 };
    const hidden: Event = { key: "draw", rule: "", seat: 1, card: "hidden" };
    const own: Event = { key: "draw", rule: "", seat: 0, card: "F4" };
    expect(told([answer, show, kept, hidden, own])).toEqual([kept, show, own]);
  });

  it("says how far it is to the goal", () => {
    expect(goal(scene(view(), []))).toBe("Marbles: 0 of 10");
    expect(goal(scene(view({ seat: null }), []))).toBe("First to 10 marbles");
  });
});
