import { expect, test } from "vitest";
import { flatten } from "./flatten";

const flat = (inside: string, css = "", dark = false): string =>
  flatten(`<svg>${inside}</svg>`, css, dark).slice(5, -6);

test("colours come out of custom properties, by the light that is wanted", () => {
  const css = ":root{--ink:light-dark(#111, #eee);--edge:var(--ink)}.a{fill:var(--edge)}";
  expect(flat('<path class="a" d="M0 0"/>', css)).toBe('<path d="M0 0" fill="#111"/>');
  expect(flat('<path class="a" d="M0 0"/>', css, true)).toBe('<path d="M0 0" fill="#eee"/>');
});

test("a custom property is that of the nearest element, also in an attribute or in a style", () => {
  const css = ":root{--wear:red}.blue{--wear:blue}";
  expect(flat('<g class="blue"><path fill="var(--wear)"/></g><path style="fill: var(--wear)"/>', css)).toBe(
    '<g><path fill="blue"/></g><path fill="red"/>',
  );
  expect(flat('<path fill="var(--none, green)"/>')).toBe('<path fill="green"/>');
  expect(() => flat('<path fill="var(--none)"/>')).toThrow("--none");
});

test("what covers only in part is said in a way that every program knows", () => {
  expect(flat('<path fill="rgb(0 0 255 / 25%)" stroke="#f008"/>')).toBe(
    '<path fill="#0000ff" fill-opacity="0.25" stroke="#f00" stroke-opacity="0.533"/>',
  );
});

test("the more special rule counts, then the later one, then the style of the element itself", () => {
  const css = "path{fill:a}.x.y{fill:b}.x{fill:c}.y{fill:d}g > .z{fill:e}:where(.z){fill:f}";
  expect(flat('<path class="x y"/>', css)).toBe('<path fill="b"/>');
  expect(flat('<path class="x"/><path class="y" style="fill:g"/>', css)).toBe('<path fill="c"/><path fill="g"/>');
  expect(flat('<g><path class="z"/><g><path class="w"/></g></g>', css)).toBe(
    '<g><path fill="e"/><g><path fill="a"/></g></g>',
  );
});

test("rules for a pointer, a window or something not in the markup are not for pictures", () => {
  const css = ".a:hover{fill:b}.a::before{fill:c}@media (width > 1px){.a{fill:d}}.a:not(.b){stroke:e}";
  expect(flat('<path class="a"/><path class="a b"/>', css)).toBe('<path stroke="e"/><path/>');
});

test("transforms lose their units and turn about their origin; long numbers are rounded", () => {
  const css = ".a{transform:translate(0, 9px) rotate(-90deg);transform-origin:20px 10px}";
  expect(flat('<path class="a" d="M0.123456 1"/>', css)).toBe(
    '<path d="M0.123 1" transform="translate(20 10) translate(0 9) rotate(-90) translate(-20 -10)"/>',
  );
});

test("nothing but SVG is left, and nothing of what is not shown", () => {
  const css = ".gone{display:none}";
  expect(
    flat(
      '<span class="x">words<!--[--><svg viewBox="0 0 1 1" data-x="1"></svg></span><g class="gone"><path/></g>',
      css,
    ),
  ).toBe('<svg viewBox="0 0 1 1"/>');
});

test("letters become outlines where they stand; others stay text in any font", () => {
  const css = ':root{--title:"Patrick Hand", cursive}text{font:400 20px var(--title);text-anchor:end;fill:red}';
  expect(flat('<text x="9" y="5">i</text>', css)).toMatch(
    /^<path d="M[^"]+z" fill="red" transform="translate\(\d\.\d+ 5\)"\/>$/,
  );
  expect(flat("<text>李&lt;</text>", css)).toMatch(
    /^<g fill="red".*<path d.*<text x="0" textLength="22".*>李<\/text><\/g>$/,
  );
});
