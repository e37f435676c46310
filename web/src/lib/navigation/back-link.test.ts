import { afterEach, expect, test } from "vitest";
import { leaveBegun, passBy, takeUp, wayBack, wayBackTo } from "./back-link";

afterEach(() => passBy("/", ""));

test("the way back leads to the last table or replay, until one goes home", () => {
  passBy("/t/abc", "");
  passBy("/rules/recess", "R12");
  expect(wayBack()).toBe("/t/abc");
  passBy("/replay/abc", "12.all");
  passBy("/help", "");
  expect(wayBack()).toBe("/replay/abc#12.all");
  passBy("/replay/abc/with/w3k8", "12.all");
  passBy("/help", "");
  expect([wayBack(), wayBackTo(wayBack())]).toEqual(["/replay/abc/with/w3k8#12.all", "replay"]);
  passBy("/", "");
  expect(wayBack()).toBe("");
});

test("a lesson and a form can be returned to, and the form is as it was left", () => {
  passBy("/learn/recess", "");
  passBy("/rules/recess", "");
  expect([wayBack(), wayBackTo(wayBack())]).toEqual(["/learn/recess", "lesson"]);
  passBy("/new/recess", "");
  leaveBegun("/new/recess", { count: 5 });
  passBy("/rules/recess", "R2");
  expect([wayBack(), wayBackTo(wayBack())]).toEqual(["/new/recess", "form"]);
  expect(takeUp("/new/recess")).toEqual({ count: 5 });
  passBy("/", "");
  expect(takeUp("/new/recess")).toBeUndefined();
  passBy("/puzzles/recess/kiss-12", "");
  passBy("/puzzles/recess", "");
  passBy("/rules/recess", "R2");
  expect([wayBack(), wayBackTo(wayBack())]).toEqual(["/puzzles/recess/kiss-12", "puzzle"]);
  expect(["/t/abc", "/replay/abc#3"].map(wayBackTo)).toEqual(["table", "replay"]);
});

test("nothing that leads elsewhere is a way back", () => {
  localStorage.setItem("preau.last", JSON.stringify("//example.org/t/abc"));
  expect(wayBack()).toBe("");
  localStorage.setItem("preau.last", "{}");
  expect(wayBack()).toBe("");
});
