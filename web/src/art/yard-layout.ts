/** Where leaves, windows and tiles are in the drawing of the yard. */

/** Leaves that fall once when the page opens: where each ends up, and how many seconds late it starts. */
export const FALLING = [
  { x: 655, y: 338, turn: 80, fill: "var(--leaf)", kind: 0, late: 0.2 },
  { x: 905, y: 352, turn: -75, fill: "var(--leaf-red)", kind: 2, late: 1 },
  { x: 846, y: 330, turn: 100, fill: "var(--cloth-yellow)", kind: 1, late: 0.6 },
  { x: 990, y: 364, turn: 65, fill: "var(--leaf)", kind: 0, late: 1.4 },
  { x: 600, y: 362, turn: -95, fill: "var(--leaf-red)", kind: 2, late: 0 },
];

/** Leaves on the ground, on the tree, and in the air: x, y, turn in degrees, colour and kind of each. */
export const LYING = [
  [250, 330, 70, "var(--leaf)", 0],
  [330, 368, -80, "var(--leaf-red)", 2],
  [455, 300, 100, "var(--cloth-yellow)", 1],
  [520, 352, 60, "var(--leaf)", 2],
  [726, 316, -70, "var(--leaf-red)", 0],
  [868, 304, 95, "var(--leaf)", 1],
  [936, 360, -100, "var(--cloth-yellow)", 0],
  [1080, 338, 80, "var(--leaf)", 2],
  [1230, 366, 65, "var(--leaf-red)", 0],
  [1395, 326, -85, "var(--leaf)", 1],
  [1500, 362, 75, "var(--cloth-yellow)", 2],
  [96, 356, -65, "var(--leaf)", 0],
] as const;

export const HANGING = [
  [660, 84, 20, "var(--leaf-red)", 0],
  [724, 70, -30, "var(--cloth-yellow)", 2],
  [790, 30, 10, "var(--leaf-red)", 2],
  [880, 72, 40, "var(--cloth-yellow)", 0],
  [940, 96, -20, "var(--leaf-red)", 1],
  [830, 76, -10, "var(--cloth-green)", 1],
  [690, 18, 30, "var(--cloth-yellow)", 1],
] as const;

export const TOSSED = [
  [716, 336, 60, "var(--cloth-yellow)", 0],
  [744, 344, -50, "var(--leaf)", 2],
  [772, 340, 30, "var(--cloth-yellow)", 1],
  [800, 344, -70, "var(--leaf)", 0],
  [722, 236, 40, "var(--leaf-red)", 0],
  [790, 232, -30, "var(--leaf)", 2],
  [758, 220, 10, "var(--cloth-yellow)", 1],
  [812, 256, 70, "var(--leaf-red)", 1],
] as const;

/** The left edges of the windows of the school, and of the tiles on the roof. */
export const WINDOWS = [180, 268, 460, 548];
export const TILES = Array.from({ length: 28 }, (_, at) => 968 + at * 24.5);
