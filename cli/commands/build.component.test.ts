import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import tar from "tar-fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Ran, runBinary } from "../testing/run-binary.ts";

/** An engine that the test scripts; what a real one builds, the system tests check. */
let engine: Server;
let directory: string;
let events: readonly object[];
let received: { url: URL; context: Buffer } | null;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "elastic-build-"));
  events = [{ stream: "Step 1/2 : FROM x\n" }, { aux: { ID: "sha256:ab" } }];
  received = null;
  engine = createServer(async (request: IncomingMessage, response) => {
    if (request.url === "/_ping") return response.end("OK");
    received = { url: new URL(request.url ?? "", "http://engine"), context: await buffer(request) };
    return response.end(events.map((event) => `${JSON.stringify(event)}\n`).join(""));
  });
  await new Promise<void>((resolve) => engine.listen(join(directory, "engine.sock"), resolve));
});
afterEach(async () => {
  engine.close();
  engine.closeAllConnections();
  await rm(directory, { recursive: true });
});

async function build(...args: readonly string[]): Promise<Ran> {
  const env = { DOCKER_HOST: `unix://${join(directory, "engine.sock")}` };
  return await runBinary(["build", ...args], { directory: join(directory, "code"), env });
}

async function code(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(directory, "code", path, ".."), { recursive: true });
    await writeFile(join(directory, "code", path), text);
  }
}

async function filesSent(): Promise<readonly string[]> {
  const names: string[] = [];
  const unpacked = join(directory, "unpacked");
  const extract = tar.extract(unpacked, {
    map: (header) => {
      if (header.type === "file") names.push(header.name);
      return header;
    },
  });
  await new Promise((resolve, reject) =>
    Readable.from([received?.context]).pipe(extract).on("finish", resolve).on("error", reject),
  );
  return names.toSorted();
}

test("the directory is sent without what .dockerignore names, for linux/amd64, with the images that are set", async () => {
  await code({
    Dockerfile: "FROM x",
    ".dockerignore": "target\n*.log\n",
    "target/big": "",
    "a.log": "",
    "src/main.rs": "",
  });
  const ran = await build("--build-image", "rust:mine", "--tag", "v2", "--json", "--no-network");
  expect(ran).toMatchObject({ code: 0 });
  expect(JSON.parse(ran.stdout)).toMatchObject({ image: "elastic/code:v2", image_id: "sha256:ab" });
  expect(await filesSent()).toEqual([".dockerignore", "Dockerfile", "src/main.rs"]);
  expect(Object.fromEntries(received?.url.searchParams ?? [])).toMatchObject({
    platform: "linux/amd64",
    networkmode: "none",
    buildargs: '{"RUST_IMAGE":"rust:mine"}',
  });
});

test("sends a link as a link, without its target", async () => {
  await code({ Dockerfile: "FROM x" });
  const key = join(directory, "private-key");
  await writeFile(key, "what nobody may read");
  await symlink(key, join(directory, "code", "key"));
  expect(await build()).toMatchObject({ code: 0 });
  expect([key, "what nobody may read"].map((text) => received?.context.includes(text))).toEqual([true, false]);
});

test("a sub-directory is built by --base_dir, and the linked service names and remembers the image", async () => {
  const link = { url: "http://h", service_id: "a", service_name: "My Prover" };
  await code({ ".elastic.json": JSON.stringify(link), "sub/Dockerfile": "FROM x" });
  expect(await build("--base_dir=sub")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("elastic/my-prover:latest"),
  });
  const linkAfter = JSON.parse(await readFile(join(directory, "code", ".elastic.json"), "utf8"));
  expect(linkAfter).toMatchObject({ ...link, last_build: { image: "elastic/my-prover:latest" } });
  expect(await filesSent()).toEqual(["Dockerfile"]);
});

test("a build that fails prints what the engine said last once, by complete lines", async () => {
  await code({ Dockerfile: "FROM x" });
  events = [
    { stream: "error" },
    { stream: "[E0425]: cannot find value\nerror" },
    { stream: ": could not compile" },
    { error: "the command returned a non-zero code: 101" },
  ];
  const lines = ["error[E0425]: cannot find value", "error: could not compile"];
  for (const args of [[], ["--verbose"]]) {
    const ran = await build(...args);
    const message = "error: The build failed: the command returned a non-zero code: 101.";
    expect([ran.code, ran.stderr.split("\n").slice(0, 3)]).toEqual([1, [...lines, message]]);
  }
  const { error } = JSON.parse((await build("--json")).stderr);
  expect(error).toMatchObject({ code: "build_failed", output: lines });
});

test.each([
  [
    "a base image",
    [],
    'Get "https://registry-1.docker.io/v2/": dial tcp: no such host',
    /docker load.*--base-images.*--build-image and --run-image/,
  ],
  [
    "a crate",
    ["warning: spurious network error (3 tries remaining)"],
    "non-zero code: 101",
    /cargo vendor.*--no-network/,
  ],
  ["a semicolon", ["error: expected `;`"], "non-zero code: 101", /docker build/],
])("a build that lacks %s says what would give it", async (_what, lines, error, next) => {
  await code({ Dockerfile: "FROM x" });
  events = [...lines.map((line) => ({ stream: `${line}\n` })), { error }];
  expect(await build()).toMatchObject({ code: 1, stderr: expect.stringMatching(next) });
});

test("without a build file, an engine or the right to it nothing is sent", async () => {
  await code({ "src/main.rs": "" });
  const lost = await build("--base_dir", "nope");
  expect(lost).toMatchObject({ code: 2, stderr: expect.stringMatching(/There is no folder .*\/code\/nope\./) });
  expect(await build()).toMatchObject({ code: 2, stderr: expect.stringContaining("elastic init") });
  await code({ Dockerfile: "FROM x" });
  const nowhere = `unix://${join(directory, createHash("sha256").update(directory).digest("hex").slice(0, 8))}`;
  const surroundings = { directory: join(directory, "code") };
  const ran = await runBinary(["build"], { ...surroundings, env: { DOCKER_HOST: nowhere } });
  expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining("No container engine responds") });
  expect(ran.stderr).toContain("export DOCKER_HOST=unix://");
  const wrong = await runBinary(["build"], { ...surroundings, env: { DOCKER_HOST: "ssh://h" } });
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining("unix://") });
  expect(received).toBeNull();
});
