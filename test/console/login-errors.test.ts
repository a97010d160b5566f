import { KNOWN_LOGIN_ERRORS, loginErrorText } from "@elastic/console/src/session/login-errors.ts";
import { LOGIN_ERROR_CODES } from "@elastic/coordinator/login/login-error.ts";
import { expect, test } from "vitest";

test("has a sentence for every way in which a login fails, and for no other", () => {
  expect([...KNOWN_LOGIN_ERRORS].sort()).toEqual([...LOGIN_ERROR_CODES].sort());
});

test("has a message for an unknown code, which does not repeat it", () => {
  for (const code of ["<b>", "constructor", "toString"])
    expect(loginErrorText(code, "<b>")).toBe("The login failed. Log in again.");
  expect(loginErrorText("not_invited", undefined)).toContain("at the provider");
});
