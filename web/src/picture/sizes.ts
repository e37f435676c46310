/** The sizes of a picture, in its own units: of all of it, and of the box in which a game draws. */
export const PICTURE = { wide: 1200, high: 900 } as const;
export const WIDE = 1152;
export const HIGH = 656;
