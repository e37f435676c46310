import { afterEach, expect, test } from "vitest";
import { saveDraft, rememberPage, takeDraft, backLink, backLinkKind } from "./back-link";

afterEach(() => rememberPage("/", ""));

test("the way back leads to the last table or replay, until one goes home", () => {
  rememberPage("/t/abc", "");
  rememberPage("/rules/recess", "R12");
  expect(backLink()).toBe("/t/abc");
  rememberPage("/replay/abc", "12.all");
  rememberPage("/help", "");
  expect(backLink()).toBe("/replay/abc#12.all");
  rememberPage("/replay/abc/with/w3k8", "12.all");
  rememberPage("/help", "");
  expect([backLink(), backLinkKind(backLink())]).toEqual(["/replay/abc/with/w3k8#12.all", "replay"]);
  rememberPage("/", "");
  expect(backLink()).toBe("");
});

test("a lesson and a form can be returned to, and the form is as it was left", () => {
  rememberPage("/learn/recess", "");
  rememberPage("/rules/recess", "");
  expect([backLink(), backLinkKind(backLink())]).toEqual(["/learn/recess", "lesson"]);
  rememberPage("/new/recess", "");
  saveDraft("/new/recess", { count: 5 });
  rememberPage("/rules/recess", "R2");
  expect([backLink(), backLinkKind(backLink())]).toEqual(["/new/recess", "form"]);
  expect(takeDraft("/new/recess")).toEqual({ count: 5 });
  rememberPage("/", "");
  expect(takeDraft("/new/recess")).toBeUndefined();
  rememberPage("/puzzles/recess/kiss-12", "");
  rememberPage("/puzzles/recess", "");
  rememberPage("/rules/recess", "R2");
  expect([backLink(), backLinkKind(backLink())]).toEqual(["/puzzles/recess/kiss-12", "puzzle"]);
  expect(["/t/abc", "/replay/abc#3"].map(backLinkKind)).toEqual(["table", "replay"]);
});

test("nothing that leads elsewhere is a way back", () => {
  localStorage.setItem("preau.last", JSON.stringify("//example.org/t/abc"));
  expect(backLink()).toBe("");
  localStorage.setItem("preau.last", "{}");
  expect(backLink()).toBe("");
});
