import { describe, expect, it } from "vitest";
import { figuresOf } from "./rule-figures";
import type { Figure } from "../net/protocol";

const figure = (name: string, rules: string[]): Figure => ({
  name,
  rules,
  seat: 0,
  views: [],
  events: [],
  open: [],
  refused: [],
  picture: {},
});

describe("the pictures of a rule", () => {
  const figures = [figure("yard", ["R5", "R17"]), figure("turn", ["R8", "R5"]), figure("pin", ["R18"])];

  it("are those that name it, the ones that explain it apart", () => {
    expect(figuresOf(figures, "R5")).toEqual({ best: [0], others: [1] });
    expect(figuresOf(figures, "R17")).toEqual({ best: [], others: [0] });
    expect(figuresOf(figures, "R1")).toEqual({ best: [], others: [] });
  });
});
