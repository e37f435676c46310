import { expect, test } from "vitest";
import { affairs } from "./affairs";
import type { SeatInfo, TableInfo } from "./wire";

const people = (...more: Partial<SeatInfo>[]): TableInfo =>
  ({
    status: "playing",
    seats: more.map((one, seat) => ({ seat, kind: "person", ...one })),
  }) as TableInfo;

const HOST = { host: true };
const AWAY = { here: [0, 1], watching: 0, away: [{ seat: 2, ends: 30 }] };

test("the host lets a bot in, and anybody else while the host is not here", () => {
  const info = people(HOST, {}, {});
  expect(affairs(info, AWAY, [0], true)).toEqual([{ kind: "away", seat: 2, ends: 30, may: true, urgent: true }]);
  expect(affairs(info, AWAY, [1], false)).toMatchObject([{ may: false, urgent: false }]);
  expect(affairs(info, { ...AWAY, here: [1] }, [1], false)).toMatchObject([{ may: true }]);
  expect(affairs(info, { ...AWAY, here: [1] }, [], false)).toMatchObject([{ may: false }]);
});

test("all people have to agree about a seat that was left", () => {
  const nobody = { here: [], watching: 0 };
  const left = (agreed: number[], mine: number[]) =>
    affairs(people(HOST, { stand_in: "greedy" }, { kind: "open", agreed }, { kind: "bot" }), nobody, mine, false)[0];
  expect(left([], [0])).toEqual({ kind: "left", seat: 2, agreed: [], missing: [0, 1], say: "yes", urgent: false });
  expect(left([1], [0])).toMatchObject({ missing: [0], say: "yes", urgent: true });
  expect(left([0], [0])).toMatchObject({ missing: [1], say: "no", urgent: false });
  expect(left([0], [])).toMatchObject({ say: null, urgent: false });
  expect(left([0, 1], [])).toMatchObject({ missing: [], say: null, urgent: true });
});

test("before the start and afterwards there is nothing to settle", () => {
  for (const status of ["waiting", "over"] as const) {
    expect(affairs({ ...people(HOST, { kind: "open" }), status }, AWAY, [0], true)).toEqual([]);
  }
});
