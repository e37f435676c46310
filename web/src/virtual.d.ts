/** What is made when the page is built. */

/** By web/letters.ts. */
declare module "virtual:letters" {
  type Contour = [x: number, y: number, way: string];
  export const FONTS: {
    readonly [face in "title" | "text" | "bold"]: {
      readonly em: number;
      readonly glyphs: { readonly [letter: string]: readonly [advance: number, ...contours: Contour[]] | undefined };
    };
  };
}

/** By web/vite.picture.ts: src/picture/draw.ts for engines without a document, which the command line has, too. */
declare module "preau-picture" {
  export const draw: typeof import("./picture/draw").draw;
}
