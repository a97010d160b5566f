import { expect, test } from "vitest";
import { egressAllow, parseOptions } from "./options.ts";

test.each([
  ["", false, ""],
  ["10.0.0.0/8", false, "10.0.0.0/8"],
  ["", true, "127.0.0.0/8"],
  ["10.0.0.0/8", true, "10.0.0.0/8,127.0.0.0/8"],
])("with %j in the environment and --local-webhooks %s, URLs of users may lead to %j", (said, local, allowed) => {
  expect(egressAllow(said, local)).toBe(allowed);
});

test("local webhooks are for starting a demo, and not for ending one", () => {
  expect(parseOptions(["--keep", "--local-webhooks"])).toMatchObject({ keep: true, localWebhooks: true });
  expect(() => parseOptions(["--stop", "--local-webhooks"])).toThrow("--local-webhooks is for starting one");
});
