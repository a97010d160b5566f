/** The build file of Rust projects that have none, in the sandbox: a change of the program, or of a file of another kind, compiles the program alone. */
import { type BuildFixture, startBuildFixture } from "@elastic/agent/builds/testing/build-fixture.ts";
import { compiledIn } from "@elastic/agent/builds/testing/compiled-in.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pushRustBase } from "../cluster/rust-base-image.ts";

const GIB = 1024 ** 3;
const LIMITS = { timeoutMs: 300_000, memoryBytes: 2 * GIB, pids: 2_048, imageBytes: GIB, logBytes: 16 * 1024 ** 2 };
const BUILD_ARGS = { RUN_IMAGE: "docker.io/library/busybox:1" };
const MANIFEST = `[package]
name = "sum"
version = "0.1.0"
edition = "2024"

[dependencies]
elastic-sdk = { path = "elastic-sdk" }
`;
/** Cargo runs such a build script again, and compiles the crate again, where any of its files looks newer. */
const SDK: ReadonlyMap<string, string> = new Map([
  ["elastic-sdk/Cargo.toml", '[package]\nname = "elastic-sdk"\nversion = "0.1.0"\nedition = "2024"\n'],
  ["elastic-sdk/build.rs", "fn main() {}\n"],
  ["elastic-sdk/src/lib.rs", 'pub const NAME: &str = env!("CARGO_PKG_NAME");\n'],
]);

let builder: BuildFixture;

beforeAll(async () => {
  builder = await startBuildFixture({ diskBytes: 6 * GIB, cacheBytes: 8 * GIB });
  await pushRustBase(builder.registry, null, { cold: true });
}, 180_000);
afterAll(() => builder.close());

test("compiles the program alone after a change of it, or of a file that it includes", async () => {
  const build = (greeting: string, circuit: string) => {
    const program =
      `fn main() {\n    println!("${greeting} {} {}", elastic_sdk::NAME, ` +
      `include_str!("../../data/circuit.txt"));\n}\n`;
    const files = [
      ["Cargo.toml", MANIFEST],
      ...SDK,
      ["src/bin/elastic.rs", program],
      ["data/circuit.txt", circuit],
      [".notes/run.txt", greeting],
    ] as const;
    return builder.build(files, { limits: LIMITS, buildArgs: BUILD_ARGS });
  };
  const first = await build("one", "k20");
  expect([first.failure, compiledIn(first)]).toEqual([null, ["elastic-sdk", "sum"]]);
  const second = await build("two", "k20");
  expect([second.failure, compiledIn(second)]).toEqual([null, ["sum"]]);
  expect(second.image?.digest).not.toBe(first.image?.digest);
  const third = await build("two", "k21");
  expect([third.failure, compiledIn(third)]).toEqual([null, ["sum"]]);
  expect(third.image?.digest).not.toBe(second.image?.digest);
});
