import { expect, test } from "vitest";
import { boxNamed, sourceOf, thingNamed } from "./gallery";
import { Texts } from "../text/messages";
import type { Gallery, Thing } from "../net/protocol";

const thing = (name: string, sources: { [datum: string]: string } = {}): Thing => ({
  name,
  kind: "toys",
  copies: 1,
  rule: "B2",
  title: "",
  about: "",
  sources,
});
const KITE = thing("kite");
const MUM = thing("mum");
const GALLERY: Gallery = {
  game: "toys",
  option: "set",
  boxes: [
    { name: "all", things: [KITE, MUM] },
    { name: "old", things: [thing("kite")] },
  ],
};

test("a table plays with one of the boxes, or with things of its own", () => {
  expect(boxNamed(GALLERY, "old")?.name).toBe("old");
  expect(boxNamed(GALLERY, { name: "mine" })).toBeNull();
  const only = { game: "toys", boxes: GALLERY.boxes.slice(0, 1) };
  expect(boxNamed(only, undefined)?.name).toBe("all");
});

test("a thing is looked for in the box at hand first", () => {
  const old = boxNamed(GALLERY, "old");
  expect(thingNamed(GALLERY, "kite", old)?.box.name).toBe("old");
  expect(thingNamed(GALLERY, "mum", old)).toEqual({ thing: MUM, box: GALLERY.boxes[0] });
  expect(thingNamed(GALLERY, "kite")?.thing).toBe(KITE);
  expect(thingNamed(GALLERY, "ghost", old)).toBeNull();
});

test("where the data of a thing come from is put together", () => {
  const texts = new Texts("en", { "datum.left": "the edges", "datum.right": "the edges", "datum.count": "how many" });
  const source = (sources: { [datum: string]: string }) => sourceOf(thing("kite", sources), texts);
  expect(source({})).toEqual({ from: "sheet", ours: [] });
  expect(source({ count: "sheet" })).toEqual({ from: "sheet", ours: [] });
  expect(source({ count: "sheet", left: "reconstructed", right: "reconstructed" })).toEqual({
    from: "both",
    ours: ["the edges"],
  });
  expect(source({ left: "reconstructed" })).toEqual({ from: "ours", ours: ["the edges"] });
});
