import { expect, test } from "vitest";
import { loginAddress, loginPageAddress, readLoginSearch, searchFor } from "./login-search.ts";

test("reads what it understands of an address, and leaves out the rest", () => {
  const understood = { error: "not_invited", provider: "github", invitation: "epi_0a_1B", return_to: "/device" };
  expect(readLoginSearch(understood)).toEqual(understood);
  for (const search of [
    { invitation: 7 },
    { invitation: "ell_1" },
    { return_to: "https://evil.example" },
    { error: {} },
  ]) {
    expect(Object.values(readLoginSearch(search)).filter((value) => value !== undefined)).toEqual([]);
  }
});

test("leads to the provider with the invitation and the page to come back to", () => {
  expect(loginAddress("github", {})).toBe("/v1/login/github");
  expect(loginAddress("corp", { invitation: "epi_1", return_to: "/tasks/1?a=b&c#d", error: "not_invited" })).toBe(
    "/v1/login/corp?invitation=epi_1&return_to=%2Ftasks%2F1%3Fa%3Db%26c%23d",
  );
});

test("comes back to every page but the first", () => {
  expect(searchFor("/settings/task-history?state=FAILURE")).toEqual({
    return_to: "/settings/task-history?state=FAILURE",
  });
  expect(searchFor("/services")).toEqual({});
});

test("names the login page that leads back", () => {
  expect(loginPageAddress("/services")).toBe("/login");
  expect(loginPageAddress("/tasks/1?a=b")).toBe("/login?return_to=%2Ftasks%2F1%3Fa%3Db");
});
