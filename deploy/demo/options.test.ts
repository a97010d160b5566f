import { expect, test } from "vitest";
import { egressAllow, parseOptions } from "./options.ts";

test.each([
  ["", false, ""],
  ["10.0.0.0/8", false, "10.0.0.0/8"],
  ["", true, "127.0.0.0/8"],
  ["10.0.0.0/8", true, "10.0.0.0/8,127.0.0.0/8"],
])(
  "with %j in the environment and --local-webhooks %s, URLs of users may lead to %j",
  (environment, local, allowed) => {
    expect(egressAllow(environment, local)).toBe(allowed);
  },
);

test("local webhooks are for starting a demo, and not for ending one", () => {
  expect(parseOptions(["--keep", "--local-webhooks"])).toMatchObject({ keep: true, localWebhooks: true });
  expect(() => parseOptions(["--stop", "--local-webhooks"])).toThrow("--local-webhooks is for starting one");
});

test("names the folder of a demo by --folder or by --state, and rejects both", () => {
  expect(parseOptions([])).toMatchObject({ folder: null, lasting: false });
  expect(parseOptions(["--folder", "a"])).toMatchObject({ folder: "a", lasting: false });
  expect(parseOptions(["--state", "a", "--keep"])).toMatchObject({ folder: "a", lasting: true });
  expect(parseOptions(["--state", "a", "--stop"])).toMatchObject({ folder: "a", lasting: true, stop: true });
  expect(() => parseOptions(["--state", "a", "--folder", "b"])).toThrow("give one of the two");
  expect(() => parseOptions(["--state="])).toThrow("--state needs the name of a folder");
});

test("runs the prover in a container where base images or shells are requested, which take an engine", () => {
  expect(parseOptions(["--base-images"])).toMatchObject({ container: true, baseImages: true });
  expect(parseOptions(["--shells"])).toMatchObject({ container: true, shells: true });
  expect(parseOptions([])).toMatchObject({ container: false, baseImages: false, shells: false });
  expect(() => parseOptions(["--stop", "--base-images"])).toThrow("--base-images is for starting one");
});

test("takes the address at which machines may join", () => {
  expect(parseOptions(["--enroll", "127.0.0.1"])).toMatchObject({ enroll: "127.0.0.1" });
  expect(() => parseOptions(["--enroll", "everywhere"])).toThrow("needs an IPv4 address");
  expect(() => parseOptions(["--stop", "--enroll", "127.0.0.1"])).toThrow("--enroll is for starting one");
});

test.each([
  [["--enroll", "--shells"], "--enroll needs an IPv4 address"],
  [["--enroll"], "--enroll needs an IPv4 address"],
  [["--state", "--keep"], "--state needs the name of a folder"],
  [["--folder", "--keep"], "--folder needs the name of a folder"],
  [["--keep", "--state"], "--state needs the name of a folder"],
])("says what the option without a value needs: %j", (args, message) => {
  expect(() => parseOptions(args)).toThrow(message);
});
