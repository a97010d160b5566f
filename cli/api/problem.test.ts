import { describe, expect, test } from "vitest";
import { refused } from "./problem.ts";

function refusal(status: number, body: object) {
  return refused({ status, retryAfter: null, requestId: null, body });
}

describe("what the server says of a refusal", () => {
  const detail = "This is not the name of an image.";

  test("is said once where its only error repeats the detail", () => {
    const error = refusal(422, { detail, errors: [{ pointer: "#/image", detail }] });
    expect(error.message).toBe(detail);
  });

  test("names the places that the detail does not", () => {
    const errors = [
      { pointer: "#/scaling/min", detail: "too many" },
      { pointer: "#", detail: "unknown key" },
    ];
    expect(refusal(422, { detail: "No.", errors }).message).toBe("No. scaling/min: too many unknown key");
  });
});

test.each([
  [400, "too_deep", 2],
  [413, "input_too_large", 2],
  [422, "invalid_request", 2],
  [403, "scope_missing", 1],
  [409, "service_not_ready", 1],
  [500, "internal", 1],
])("a refusal with %i %s ends the command with %i", (status, code, exitCode) => {
  expect(refusal(status, { detail: "No.", code }).exitCode).toBe(exitCode);
});

test("a path that does not exist may be of a wrong id or of a wrong address", () => {
  expect(refusal(404, { detail: "No.", code: "route_not_found" }).next).toMatch(/the id, and the address/);
  expect(refusal(404, { detail: "No.", code: "not_found" }).next).toMatch(/^Check the id;/);
});
