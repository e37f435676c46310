import { afterEach, expect, test } from "vitest";
import { passBy, wayBack } from "./wayback";

afterEach(() => passBy("/", ""));

test("the way back leads to the last table or replay, until one goes home", () => {
  passBy("/t/abc", "");
  passBy("/rules/recess", "R12");
  expect(wayBack()).toBe("/t/abc");
  passBy("/replay/abc", "12.all");
  passBy("/help", "");
  expect(wayBack()).toBe("/replay/abc#12.all");
  passBy("/", "");
  expect(wayBack()).toBe("");
});

test("nothing that leads elsewhere is a way back", () => {
  localStorage.setItem("preau.last", JSON.stringify("//example.org/t/abc"));
  expect(wayBack()).toBe("");
  localStorage.setItem("preau.last", "{}");
  expect(wayBack()).toBe("");
});
