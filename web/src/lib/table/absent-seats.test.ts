import { expect, test } from "vitest";
import { absences } from "./absent-seats";
import type { SeatInfo, TableInfo } from "../net/protocol";

const people = (...more: Partial<SeatInfo>[]): TableInfo =>
  ({
    status: "playing",
    seats: more.map((one, seat) => ({ seat, kind: "person", ...one })),
  }) as TableInfo;

const HOST = { host: true };
const AWAY = { here: [0, 1], watching: 0, away: [{ seat: 2, ends: 30 }] };

test("the host lets a bot in, and anybody else while the host is not here", () => {
  const info = people(HOST, {}, {});
  expect(absences(info, AWAY, [0], true)).toEqual([{ kind: "away", seat: 2, ends: 30, may: true, urgent: true }]);
  expect(absences(info, AWAY, [1], false), "all who wait see for whom").toMatchObject([{ may: false, urgent: true }]);
  expect(absences(info, { ...AWAY, here: [1] }, [1], false)).toMatchObject([{ may: true }]);
  expect(absences(info, { ...AWAY, here: [1] }, [], false)).toMatchObject([{ may: false, urgent: false }]);
});

test("whoever was away and has left is not waited for any more", () => {
  const found = absences(people(HOST, {}, { kind: "open" }), AWAY, [0], true);
  expect(found.map(({ kind, seat }) => [kind, seat])).toEqual([["left", 2]]);
});

test("all people have to agree about a seat that was left", () => {
  const nobody = { here: [], watching: 0 };
  const left = (agreed: number[], mine: number[]) =>
    absences(people(HOST, { stand_in: "greedy" }, { kind: "open", agreed }, { kind: "bot" }), nobody, mine, false)[0];
  expect(left([], [0])).toMatchObject({
    kind: "left",
    seat: 2,
    agreed: [],
    missing: [0, 1],
    say: "yes",
    urgent: false,
  });
  expect(left([1], [0])).toMatchObject({ missing: [0], say: "yes", urgent: true });
  expect(left([0], [0])).toMatchObject({ missing: [1], say: "no", urgent: false });
  expect(left([0], [])).toMatchObject({ say: null, urgent: false });
  expect(left([0, 1], [])).toMatchObject({ missing: [], say: null, urgent: true });
});

test("where the maker wants nobody new, nobody is asked, and whoever left may still come back", () => {
  const nobody = { here: [], watching: 0 };
  const info = { ...people(HOST, {}, { kind: "open", level: "normal" }), newcomers: false };
  expect(absences(info, nobody, [0], true)).toMatchObject([{ open: false, say: null, back: false, urgent: false }]);
  expect(absences(info, nobody, [], false)).toMatchObject([{ open: false, urgent: false, level: "normal" }]);
  expect(absences(info, nobody, [], false, [2])).toMatchObject([{ back: true, urgent: true }]);
  expect(absences(info, nobody, [], false, [1])).toMatchObject([{ back: false, urgent: false }]);
});

test("before the start and afterwards there is nothing to settle", () => {
  for (const status of ["waiting", "over"] as const) {
    expect(absences({ ...people(HOST, { kind: "open" }), status }, AWAY, [0], true)).toEqual([]);
  }
});
