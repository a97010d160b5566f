import { expect, test } from "vitest";
import { CONNECTION } from "../sources/testing/a-source.ts";
import { accountChoices } from "./account-choices.ts";

const HOSTS = [
  { name: "github", title: "GitHub", url: "https://github.com" },
  { name: "corp", title: "Corp", url: "https://git.example" },
];
const ME = CONNECTION.user_id;

test("begins with the user's own connection that was authorized last, and ends with further accounts", () => {
  const older = { ...CONNECTION, connection_id: "1", linked: "2026-11-24T09:00:00" };
  const newer = { ...CONNECTION, connection_id: "2", account: "lab", linked: "2026-11-24T11:00:00" };
  const choices = accountChoices(HOSTS, [older, newer], ME);
  expect(choices.map(({ connectionId }) => connectionId)).toEqual(["2", "1", null, null]);
  expect(choices[0]?.label).toBe("lab at GitHub");
});

test("leaves out what cannot be created in: others' connections, ended ones, and hosts that are gone", () => {
  const useless = [
    { ...CONNECTION, user_id: "another" },
    { ...CONNECTION, state: "uninstalled" as const },
    { ...CONNECTION, host: "gone" },
  ];
  expect(accountChoices(HOSTS, useless, ME).map(({ label }) => label)).toEqual([
    "My account at GitHub",
    "My account at Corp",
  ]);
});
