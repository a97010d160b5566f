/** What a program in a prover's container gets from the kernel, under the profile, in a real engine. */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { startEngine } from "@elastic/test/cluster/engine.ts";
import Docker from "dockerode";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startBuildFixture } from "../../builds/testing/build-fixture.ts";
import { removeTemporaryFolders, temporaryFolder } from "../../testing/temporary-folder.ts";
import { containerLimits } from "../docker/container-limits.ts";
import { readHostLimits } from "../docker/host-limits.ts";
import { unframe } from "../docker/stream-frames.ts";

/** Tries each and prints its name with 0 or the error's number. */
const PROGRAM = `
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>
static void report(const char *name, long result) { printf("%s %d\\n", name, result < 0 ? errno : 0); }
int main(void) {
  int pair[2];
  int families[] = {1, 2, 10, 16, 17, 21, 29, 30, 31, 38, 40, 44};
  for (unsigned at = 0; at < sizeof families / sizeof *families; at++) {
    char name[16];
    snprintf(name, sizeof name, "socket-%d", families[at]);
    report(name, socket(families[at], families[at] == 16 ? SOCK_RAW : SOCK_STREAM, 0));
  }
  report("socketpair", socketpair(1, SOCK_STREAM, 0, pair));
  report("socketpair-30", socketpair(30, SOCK_STREAM, 0, pair));
  report("io_uring_setup", syscall(425, 1, 0));
  report("keyctl", syscall(SYS_keyctl, 0, -3, 0));
  report("add_key", syscall(SYS_add_key, "user", "a", "b", 1, -3));
  report("userfaultfd", syscall(SYS_userfaultfd, 0));
  report("perf_event_open", syscall(SYS_perf_event_open, 0, 0, -1, -1, 0));
  report("bpf", syscall(SYS_bpf, 0, 0, 0));
  report("unshare", syscall(SYS_unshare, 0x10000000));
  report("ptrace", syscall(SYS_ptrace, 0, 0, 0, 0));
  report("getpid", syscall(SYS_getpid));
  return 0;
}
`;

const folder = temporaryFolder();
let program: Buffer;

beforeAll(() => {
  writeFileSync(join(folder, "try.c"), PROGRAM);
  execFileSync("cc", ["-O1", "-static", "-o", join(folder, "try"), join(folder, "try.c")]);
  program = execFileSync("cat", [join(folder, "try")], { maxBuffer: 64 * 1024 * 1024 });
});
afterAll(removeTemporaryFolders);

const EPERM = 1;
const REFUSED = [
  ...[
    "socket-17",
    "socket-21",
    "socket-29",
    "socket-30",
    "socket-31",
    "socket-38",
    "socket-40",
    "socket-44",
    "socketpair-30",
  ],
  ...["io_uring_setup", "keyctl", "add_key", "userfaultfd", "perf_event_open", "bpf", "unshare"],
];
const ALLOWED = ["socket-1", "socket-2", "socket-10", "socket-16", "socketpair", "ptrace", "getpid"];

test("lets a prover's container use four socket families and refuses what leaves or attacks the machine", async () => {
  await using engine = await startEngine();
  const docker = new Docker({ socketPath: engine.socket });
  writeFileSync(join(folder, "Dockerfile"), 'FROM scratch\nCOPY try /try\nENTRYPOINT ["/try"]\n');
  const events = await docker.buildImage({ context: folder, src: ["Dockerfile", "try"] }, { t: "try:1" });
  await new Promise((resolve, reject) =>
    docker.modem.followProgress(events as Readable, (error) => (error ? reject(error) : resolve(null))),
  );
  const resources = { cpuMillis: 500, memoryBytes: 64 * 1024 * 1024, pids: 16, tmpBytes: 1024 * 1024 };
  const HostConfig = containerLimits({ resources, gpuUuids: [] }, [], null, readHostLimits());
  const container = await docker.createContainer({ Image: "try:1", User: "65534:65534", HostConfig });
  await container.start();
  await container.wait();
  const text = unframe(
    (await container.logs({ stdout: true, stderr: true, follow: false })) as unknown as Buffer,
  ).toString();
  await container.remove();
  const results = Object.fromEntries(
    text
      .trim()
      .split("\n")
      .map((line) => line.split(" ")),
  );
  expect(results).toEqual(
    Object.fromEntries([...REFUSED.map((name) => [name, `${EPERM}`]), ...ALLOWED.map((name) => [name, "0"])]),
  );
});

test("refuses the same to a step of a build", async () => {
  const builder = await startBuildFixture();
  try {
    const source = [
      ["try", program, 0o755],
      ["Dockerfile", "FROM busybox:1\nCOPY try /try\nRUN /try && false\n"],
    ] as const;
    const { log } = await builder.build(source);
    const results = Object.fromEntries(
      [...log.matchAll(/^#\d+ [\d.]+ (\S+) (\d+)$/gm)].map(([, name, errno]) => [name, errno]),
    );
    const refused = REFUSED.filter((name) => !["keyctl", "add_key"].includes(name));
    expect(results).toMatchObject(Object.fromEntries(refused.map((name) => [name, `${EPERM}`])));
    for (const name of ["keyctl", "add_key"]) expect(["1", "38"]).toContain(results[name]);
    expect(results).toMatchObject(Object.fromEntries(ALLOWED.map((name) => [name, "0"])));
  } finally {
    await builder.close();
  }
});
