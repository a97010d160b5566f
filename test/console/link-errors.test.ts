import { KNOWN_LINK_ERRORS, linkErrorText } from "@elastic/console/src/sources/link-errors.ts";
import { LINK_ERROR_CODES } from "@elastic/coordinator/http/source-hosts/link-error.ts";
import { expect, test } from "vitest";

/** What a source host's failure can be while an account is connected. */
const OF_HOSTS = [
  "host_down",
  "host_invalid",
  "app_rejected",
  "authorization_failed",
  "not_listed",
  "no_permission",
  "maintainer_needed",
  "webhook_refused",
  "revoked",
  "suspended",
];

test("has a sentence for every way in which an account is not connected, and for no other", () => {
  expect([...KNOWN_LINK_ERRORS].sort()).toEqual([...LINK_ERROR_CODES, ...OF_HOSTS].sort());
});

test("has a message for an unknown code, which does not repeat it", () => {
  for (const code of ["<b>", "constructor", "toString"]) {
    expect(linkErrorText(code, "<b>")).toBe("The account was not connected. Connect the account again.");
  }
  expect(linkErrorText("declined", undefined)).toContain("at the source host");
});
