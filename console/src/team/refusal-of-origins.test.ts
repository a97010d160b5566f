import { expect, test } from "vitest";
import { ApiError } from "../api/problem.ts";
import { refusalOfOrigins } from "./refusal-of-origins.ts";

const refused = (pointer: string) =>
  new ApiError(422, {
    code: "invalid_request",
    detail: "the body is invalid",
    errors: [{ pointer, detail: "no path" }],
  });

test("shows at the field what the service refuses of an origin, or of the list", () => {
  expect(refusalOfOrigins(refused("#/origins/2"))).toBe("no path");
  expect(refusalOfOrigins(refused("#/origins"))).toBe("no path");
});

test("shows any other refusal in its own words, and nothing where there is none", () => {
  expect(refusalOfOrigins(null)).toBeNull();
  expect(refusalOfOrigins(new ApiError(403, { code: "role_missing", detail: "only admins may" }))).toBe(
    "only admins may",
  );
});
