import { expect, test } from "vitest";
import { afterClose } from "./after-close.ts";

test.each([1001, 1006, 1011, 1013])("connects again after the code %d, later each time", (code) => {
  expect(afterClose(code, 0)).toEqual({ kind: "again", inMs: 500 });
  expect(afterClose(code, 1)).toEqual({ kind: "again", inMs: 1_000 });
  expect(afterClose(code, 20)).toEqual({ kind: "again", inMs: 15_000 });
  expect(afterClose(code, 45)).toEqual({ kind: "over" });
});

test.each([1000, 1008, 4000])("stays as it ended after the code %d", (code) => {
  expect(afterClose(code, 0)).toEqual({ kind: "over" });
});
