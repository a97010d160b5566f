/** What a Dockerfile may try: each ends in a named failure or in nothing, and leaves the next build as it was. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { archiveOf } from "./testing/archive.ts";
import { type BuildFixture, type Built, startBuildFixture } from "./testing/build-fixture.ts";

// Three of them fill a disk or a log to its limit.
vi.setConfig({ testTimeout: 120_000 });

let builder: BuildFixture;
let service: Server;
let port = 0;
let visits = 0;

beforeAll(async () => {
  // On all addresses, as a careless service of the machine would be.
  service = createServer((_, answer) => {
    visits += 1;
    answer.end("reached");
  }).listen(0);
  await once(service, "listening");
  port = (service.address() as AddressInfo).port;
  // A hundredth of what a team has by default, so that it is full in seconds.
  builder = await startBuildFixture({ diskBytes: 256 * MIB });
});
afterAll(async () => {
  await builder.close();
  service.close();
});
afterEach(async () => {
  const next = await step("echo fine > /prover");
  expect([next.failure, visits]).toEqual([null, 0]);
});

const MIB = 1024 ** 2;

/** Builds an image with one step. */
async function step(command: string, more: Parameters<BuildFixture["build"]>[1] = {}): Promise<Built> {
  return await builder.build([["Dockerfile", `FROM busybox:1\nRUN ${command}\nENTRYPOINT ["/prover"]\n`]], more);
}

const limits = { timeoutMs: 60_000, memoryBytes: 512 * MIB, pids: 256, imageBytes: 256 * MIB, logBytes: 4 * MIB };

test("stops a fork bomb at the limit of processes", async () => {
  const { failure, log } = await step(
    "bomb() { bomb | bomb & }; bomb; for i in $(seq 400); do sleep 5 & done; wait; false",
  );
  expect(failure).toMatchObject({ reason: "build_failed", line: 2 });
  expect(log).toMatch(/can't fork|Resource temporarily unavailable/);
});

test("ends a build that writes without end", async () => {
  const { failure, log } = await step("yes");
  expect(failure).toMatchObject({ reason: "log_limit" });
  expect(log.length).toBeLessThan(limits.logBytes + MIB);
});

test("ends a build that fills its disk", async () => {
  const { failure } = await step("dd if=/dev/zero of=/big bs=1M; false");
  expect(failure).toMatchObject({ reason: "disk_full" });
});

test("ends a build that makes a million files", async () => {
  const { failure } = await step(
    "for d in $(seq 1000); do mkdir /d$d && for f in $(seq 1000); do echo > /d$d/$f || exit 1; done; done",
  );
  expect(failure).toMatchObject({ reason: "disk_full" });
});

test("ends a build at its memory limit", async () => {
  const { failure } = await step("head -c 700m /dev/zero | grep x; exit $?", {
    limits: { ...limits, memoryBytes: 256 * MIB },
  });
  expect(failure).toMatchObject({ reason: "out_of_memory" });
});

test("leaves nothing running when a build is cancelled", async () => {
  const cancelled = new AbortController();
  const source = await archiveOf([["Dockerfile", "FROM busybox:1\nRUN echo it-runs && sleep 1000\n"]]);
  const building = builder.build(source, {}, { signal: cancelled.signal });
  setTimeout(() => cancelled.abort(new Error("cancelled")), 1_000);
  await expect(building).rejects.toThrow("cancelled");
});

/** By what is tried: the command, and what it says where it fails as it must. */
const DENIED: Readonly<Record<string, readonly [command: string, words: RegExp]>> = {
  "a device": ["mknod /sda b 8 0", /Operation not permitted/],
  "a mount": ["mount -t tmpfs none /tmp", /[Pp]ermission denied|Operation not permitted/],
  "a user namespace": ["unshare -U true", /Operation not permitted/],
  "a socket of a container engine": ["ls /var/run/docker.sock /run/docker.sock /run/podman", /No such file/],
  "the cache of builds": ["ls /var/lib/buildkit /job /opt/buildkit", /No such file/],
};

test("denies a step devices, mounts, namespaces, the engine and the cache of builds", async () => {
  const tries = Object.values(DENIED).map(([command], index) => `if ${command} 2>&1; then echo done-${index}; fi`);
  const { failure, log } = await step(`${tries.map((attempt) => `echo begins; ${attempt}`).join("; ")}; false`);
  expect(failure).toMatchObject({ reason: "build_failed", line: 2 });
  const lines = [...log.matchAll(/^#\d+ [\d.]+ (.*)$/gm)].map(([, line]) => line);
  const said = lines.join("\n").split("begins\n").slice(1);
  expect(said).toHaveLength(tries.length);
  for (const [index, [, words]] of Object.values(DENIED).entries()) expect(said[index]).toMatch(words);
  expect(lines.filter((line) => line?.startsWith("done-"))).toEqual([]);
});

test("lets no step connect to the machine, its network or the metadata service, directly or by the proxy", async () => {
  const hosts = ["127.0.0.1", "169.254.169.254", "10.0.0.1", "localhost"];
  const ways = ["env -u http_proxy -u HTTP_PROXY wget", "wget"];
  const tries = hosts.flatMap((host) => ways.map((way) => `${way} -O - http://${host}:${port}/ && echo connected`));
  const { failure, log } = await step(`${tries.join("; ")}; false`);
  expect(failure).toMatchObject({ reason: "build_failed" });
  // Each was tried, and failed for want of a way.
  expect(log.match(/^#\d+ [\d.]+ wget: (can't connect to remote host|server returned error: .* 403)/gm)).toHaveLength(
    tries.length,
  );
  expect(log).not.toMatch(/^#\d+ [\d.]+ (connected|reached)/m);
  for (const host of ["169.254.169.254", "10.0.0.1"]) expect(log).toContain(`refused a connection to ${host}:${port}`);
});

test("says in the log which host the list does not have", async () => {
  const { log } = await step("wget -O /prover http://example.com/");
  expect(log).toContain("refused a connection to example.com:80");
});

test("copies a symbolic link out of the source as a link", async () => {
  const { failure, log } = await builder.build([
    ["Dockerfile", 'FROM busybox:1\nCOPY link /link\nRUN ls -l /link && cat /link\nENTRYPOINT ["/link"]\n'],
    { name: "link", type: "symlink", linkname: "/etc/shadow" },
  ]);
  expect(failure).toMatchObject({ reason: "build_failed" });
  expect(log).not.toContain("root:");
});

test.each(["Dockerfile", "base"])("reads no %s through a symbolic link out of the source", async (name) => {
  const { failure } = await builder.build(
    [["file", "x"], { name, type: "symlink", linkname: name === "base" ? "/etc" : "/etc/passwd" }],
    name === "base" ? { baseDir: "base" } : {},
  );
  expect(failure).toMatchObject({ reason: "source_invalid" });
});

test.each([
  ["without an entry point", "FROM scratch\nCOPY Dockerfile /x\n", /no ENTRYPOINT/],
  ["that declares another port", 'FROM scratch\nCOPY Dockerfile /x\nEXPOSE 9000\nENTRYPOINT ["/x"]\n', /9000/],
])("refuses an image %s", async (_, file, words) => {
  const { failure } = await builder.build([["Dockerfile", file]]);
  expect(failure).toMatchObject({ reason: "image_invalid" });
  expect(failure?.message).toMatch(words);
});

test("refuses an image that is larger than allowed", async () => {
  const { failure } = await step("head -c 9m /dev/urandom > /prover", { limits: { ...limits, imageBytes: 8 * MIB } });
  expect(failure).toMatchObject({ reason: "image_invalid" });
});

test("names a base image that is not to be had", async () => {
  const { failure } = await builder.build([["Dockerfile", "FROM nothing-of-this-name:1\n"]]);
  expect(failure).toMatchObject({ reason: "base_image_unavailable", line: 1 });
});

test("names a source without a build file", async () => {
  const { failure } = await builder.build([["main.rs", ""]]);
  expect(failure).toMatchObject({ reason: "build_file_missing" });
});
