/**
 * What a hostile program gets from the kernel as a prover, in a shell and as a step of a build, in a real engine and the
 * real sandbox of builds. Each row is a system call and what it returns in each place.
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { finish } from "@elastic/deploy/local/engine-progress.ts";
import { newId } from "@elastic/std/ids.ts";
import { startEngine } from "@elastic/test/cluster/engine.ts";
import { inContainer } from "@elastic/test/cluster/in-container.ts";
import Docker, { type ContainerCreateOptions } from "dockerode";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startBuildFixture } from "../../builds/testing/build-fixture.ts";
import { specOf, type WorkloadSpec } from "../../domain/workload-spec.ts";
import { assignmentOf } from "../../testing/orders.ts";
import { removeTemporaryFolders, temporaryFolder } from "../../testing/temporary-folder.ts";
import { containerPlan } from "../docker/container-config.ts";
import { readHostLimits } from "../docker/host-limits.ts";
import { unframe } from "../docker/stream-frames.ts";
import { shellContainer } from "../shell/shell-container-config.ts";
import { openShellDisks } from "../shell/shell-disks.ts";

const BUSYBOX = ["/usr/bin/busybox", "/bin/busybox"];
const OWNER = { nodeId: "n1", sessionId: "s1" };
const DISKS = { homeBytes: 16 * 2 ** 20, scratchBytes: 16 * 2 ** 20, rootId: 0 };
const IMAGE = "hostile-calls:1";

type Results = Readonly<Record<string, string>>;

const folder = temporaryFolder();
let prover: Results;
let shell: Results;
let step: Results;

beforeAll(async () => {
  const source = new URL("testing/hostile-calls.c", import.meta.url).pathname;
  execFileSync("cc", ["-O1", "-static", "-o", join(folder, "try"), source]);
  await using engine = await startEngine();
  const docker = new Docker({ socketPath: engine.socket });
  await buildImage(docker);
  prover = await asProver(docker);
  shell = await inShell(docker, engine.socket);
  step = await inBuild();
}, 180_000);
afterAll(removeTemporaryFolders);

async function buildImage(docker: Docker): Promise<void> {
  copyFileSync(BUSYBOX.find((path) => existsSync(path)) ?? "", join(folder, "sh"));
  const context = { context: folder, src: ["Dockerfile", "sh", "try"] };
  const lines = ["FROM scratch", "COPY sh /bin/sh", "COPY sh /bin/sleep", "COPY try /try", 'CMD ["/try"]', ""];
  writeFileSync(join(folder, "Dockerfile"), lines.join("\n"));
  await finish(docker, await docker.buildImage(context, { t: IMAGE }));
}

function spec(): WorkloadSpec {
  const made = specOf(assignmentOf(IMAGE));
  if (made === null) throw new Error("the assignment is not understood");
  return made;
}

/** Made as the agent makes it, and run until it ends. */
async function asProver(docker: Docker): Promise<Results> {
  const image = await docker.getImage(IMAGE).inspect();
  const { options } = containerPlan(spec(), image, OWNER, { host: readHostLimits(), data: null });
  await using container = await started(docker, options);
  await container.wait();
  const logs = await container.logs({ stdout: true, stderr: true, follow: false });
  return resultsOf(unframe(logs as unknown as Buffer).toString());
}

async function inShell(docker: Docker, socket: string): Promise<Results> {
  const disks = openShellDisks(join(folder, "shells"));
  const shellId = newId(1);
  const on = { host: readHostLimits(), disks: await disks.attach(shellId, DISKS) };
  try {
    const image = await docker.getImage(IMAGE).inspect();
    await using container = await started(docker, shellContainer(spec(), image, OWNER, on));
    return resultsOf(await inContainer(socket, container.id, "/try"));
  } finally {
    await disks.erase(shellId);
  }
}

async function started(docker: Docker, options: ContainerCreateOptions): Promise<Docker.Container & AsyncDisposable> {
  const container = await docker.createContainer(options);
  const remove = async () => {
    await container.remove({ force: true, v: true });
  };
  await container.start();
  return Object.assign(container, { [Symbol.asyncDispose]: remove });
}

async function inBuild(): Promise<Results> {
  const builder = await startBuildFixture();
  try {
    const { log } = await builder.build([
      ["try", readFileSync(join(folder, "try")), 0o755],
      ["Dockerfile", "FROM busybox:1\nCOPY try /try\nRUN /try && false\n"],
    ]);
    return resultsOf(log.replaceAll(/^#\d+ [\d.]+ /gm, ""));
  } finally {
    await builder.close();
  }
}

function resultsOf(text: string): Results {
  return Object.fromEntries([...text.matchAll(/^(\S+) (E[A-Z0-9]+|SIG[A-Z]+|allowed)$/gm)].map(([, ...row]) => row));
}

const DENIED: readonly string[] = [
  ...["AF_PACKET", "AF_RDS", "AF_CAN", "AF_TIPC", "AF_BLUETOOTH", "AF_ALG", "AF_VSOCK", "AF_KCM", "AF_QIPCRTR"],
  ...["AF_SMC", "AF_XDP", "AF_VSOCK,high-bits"],
].map((family) => `socket(${family})`);

/** What was tried, and what it gets everywhere, or as a prover, in a shell and in a step of a build. */
const ROWS: readonly (readonly [tried: string, ...got: string[]])[] = [
  ...DENIED.map((tried) => [tried, "EPERM"] as const),
  ["socketpair(AF_TIPC)", "EPERM"],
  // A step is root in its user namespace, over a network namespace that has no network.
  ["socket(AF_INET,SOCK_RAW)", "EPERM", "EPERM", "allowed"],
  ["clone(CLONE_NEWUSER)", "EPERM"],
  ["clone(CLONE_NEWNET)", "EPERM"],
  // As from a kernel without it, so that C libraries make threads in the older way.
  ["clone3(CLONE_NEWUSER)", "ENOSYS"],
  ["unshare(CLONE_NEWUSER)", "EPERM"],
  ["unshare(CLONE_NEWNS)", "EPERM"],
  ["setns", "EPERM"],
  ["mount", "EPERM"],
  ["fsopen", "EPERM"],
  ["io_uring_setup", "EPERM"],
  ["io_uring_enter", "EPERM"],
  ["io_uring_register", "EPERM"],
  ["keyctl", "EPERM"],
  ["add_key", "EPERM"],
  ["request_key", "EPERM"],
  ["userfaultfd", "EPERM"],
  ["perf_event_open", "EPERM"],
  ["bpf", "EPERM"],
  ["init_module", "EPERM"],
  ["kexec_load", "EPERM"],
  ["open_by_handle_at", "EPERM"],
  ["int80", "SIGSYS"],
  // What programs need.
  ["socket(AF_UNIX)", "allowed"],
  ["socket(AF_INET)", "allowed"],
  ["socket(AF_INET6)", "allowed"],
  ["socket(AF_NETLINK)", "allowed"],
  ["socketpair(AF_UNIX)", "allowed"],
  ["fork", "allowed"],
  ["ptrace", "allowed"],
  ["getpid", "allowed"],
];

test.each(ROWS)("%s gets %s as a prover, in a shell and in a build", (tried, everywhere, inAShell, inABuild) => {
  expect({ prover: prover[tried], shell: shell[tried], build: step[tried] }).toEqual({
    prover: everywhere,
    shell: inAShell ?? everywhere,
    build: inABuild ?? everywhere,
  });
});

test("tries nothing that no row has", () => {
  for (const results of [prover, shell, step])
    expect(Object.keys(results).sort()).toEqual(ROWS.map(([tried]) => tried).sort());
});
