import { expect, test } from "vitest";
import { resumedTry } from "./resumed-try.ts";

const PENDING = { name: "demo", teamId: "t", leftAt: 0, connectionId: null };

test("resumes with the connection, or with why there is none", () => {
  expect(resumedTry({ connection_id: "c" }, PENDING)).toEqual({
    name: "demo",
    connectionId: "c",
    isAutomatic: true,
    error: null,
  });
  expect(resumedTry({ source_error: "declined", source_host: "github", connection_id: "c" }, PENDING)).toEqual({
    name: "demo",
    connectionId: null,
    isAutomatic: false,
    error: { code: "declined", host: "github" },
  });
});

test("is offered again, and not begun, when the page is loaded again", () => {
  expect(resumedTry({}, { ...PENDING, connectionId: "c" })).toEqual({
    name: "demo",
    connectionId: "c",
    isAutomatic: false,
    error: null,
  });
});

test("does nothing by an address alone, whoever wrote it", () => {
  expect(resumedTry({ connection_id: "c" }, null)).toBeNull();
  expect(resumedTry({ source_error: "declined" }, null)).toBeNull();
  expect(resumedTry({}, PENDING)).toBeNull();
});
