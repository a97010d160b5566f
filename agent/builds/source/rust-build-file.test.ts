import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { buildFileFor, RUST_BUILD_FILE } from "./rust-build-file.ts";

test("is what `elastic init` writes", () => {
  const template = new URL("../../../cli/templates/Dockerfile", import.meta.url);
  expect(RUST_BUILD_FILE).toBe(readFileSync(template, "utf8"));
});

test("builds from the base image, and runs as the user and on the port, that the template's has too", () => {
  const template = new URL("../../../deploy/template/poseidon/Dockerfile", import.meta.url);
  const shared = (text: string) => text.split("\n").filter((line) => /^(ARG RUST_IMAGE|USER|EXPOSE)/.test(line));
  expect(shared(RUST_BUILD_FILE)).toHaveLength(3);
  expect(shared(readFileSync(template, "utf8"))).toEqual(shared(RUST_BUILD_FILE));
});

test.each([
  'elastic-sdk = { path = "vendor/elastic-sdk" }',
  '[dependencies]\nelastic-sdk="0.1"',
  "elastic-sdk.workspace = true",
  '[dependencies.elastic-sdk]\npath = "x"',
])("takes %j for a project that links elastic-sdk", (manifest) => {
  expect(buildFileFor(`[package]\nname = "p"\n${manifest}\n`)).toBe(RUST_BUILD_FILE);
});

test.each([null, "", '[package]\nname = "elastic-sdk"', '# elastic-sdk = "1"', 'my-elastic-sdk = "1"'])(
  "takes %j for none",
  (manifest) => {
    expect(buildFileFor(manifest)).toBeNull();
  },
);
