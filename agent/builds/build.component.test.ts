/** Builds with BuildKit in its sandbox, from archives, to a registry. */
import { readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type BuildFixture, startBuildFixture } from "./testing/build-fixture.ts";

let builder: BuildFixture;

beforeAll(async () => {
  builder = await startBuildFixture();
});
afterAll(() => builder.close());

const FINAL = 'ENTRYPOINT ["/prover"]\nEXPOSE 8080\n';
const STAGES = ["fetching", "unpacking", "building", "checking", "pushing"];

test("builds a Dockerfile of several stages and pushes the image by its digest", async () => {
  const built = await builder.build(
    [
      ["src/main.txt", "hello"],
      [
        "Dockerfile",
        `# syntax=docker/dockerfile:1\nFROM busybox:1 AS build\nARG WORD=none\nCOPY src /src\nRUN cat /src/main.txt && echo "$WORD" > /prover\nFROM scratch\nCOPY --from=build /prover /prover\n${FINAL}`,
      ],
    ],
    { buildArgs: { WORD: "from-an-argument" } },
  );
  expect([built.failure, built.stages]).toEqual([null, STAGES]);
  expect(built.log).toContain("hello");
  const url = `http://${builder.registry}/v2/${builder.teamId}/prover/manifests/${built.image?.digest}`;
  const manifest = await fetch(url, { headers: { accept: "application/vnd.oci.image.manifest.v1+json" } });
  expect([manifest.status, manifest.headers.get("docker-content-digest")]).toEqual([200, built.image?.digest]);
});

test("takes unchanged steps from the team's cache, and none where the cache is not wanted", async () => {
  const source = [["Dockerfile", `FROM busybox:1\nRUN echo it-ran && echo run > /prover\n${FINAL}`]] as const;
  const first = await builder.build(source);
  const second = await builder.build(source);
  const third = await builder.build(source, { noCache: true });
  expect([first.failure, second.failure, third.failure]).toEqual([null, null, null]);
  expect(second.image?.digest).toBe(first.image?.digest);
  expect([first, second, third].map(({ log }) => !/^#\d+ [\d.]+ it-ran$/m.test(log))).toEqual([false, true, false]);
});

test("names the line of the build file that failed, and what failed", async () => {
  const { failure } = await builder.build([["Dockerfile", "FROM busybox:1\nRUN true\nRUN cat /none\n"]]);
  expect(failure).toMatchObject({ reason: "build_failed", line: 3 });
  expect(failure?.message).toContain("exit code: 1");
});

test("builds from a directory of the source and a build file of another name", async () => {
  const source = [
    ["provers/one/data", "1"],
    ["provers/one/Containerfile", `FROM scratch\nCOPY data /prover\n${FINAL}`],
  ] as const;
  const { failure } = await builder.build(source, { baseDir: "provers/one", buildFile: "Containerfile" });
  expect(failure).toBeNull();
});

test("leaves nothing of a build but the team's disk", async () => {
  await builder.build([["Dockerfile", `FROM busybox:1\nRUN echo run > /prover\n${FINAL}`]]);
  expect(readdirSync(`${builder.runFolder}/bundles`)).toEqual([]);
  expect(readdirSync(`${builder.runFolder}/runc`)).toEqual([]);
  expect(readFileSync("/proc/self/mounts", "utf8")).not.toContain(builder.teamId);
});
