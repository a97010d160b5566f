/** Runs shells: a disk that stays, a container that waits. Sessions enter it through tunnels, not through here. */
import { join } from "node:path";
import type { Logger } from "@elastic/std/log.ts";
import type { IpRange } from "@elastic/std/net/ip-address.ts";
import type { Container } from "dockerode";
import type { Driver, FoundWorkload, Prover, ProverEnd } from "../../domain/driver.ts";
import { KeyedLock } from "../../domain/keyed-lock.ts";
import { proverLog } from "../../domain/prover-log.ts";
import { StartFailure } from "../../domain/start-failure.ts";
import type { ReportProgress } from "../../domain/start-progress.ts";
import type { ShellPart, WorkloadSpec } from "../../domain/workload-spec.ts";
import { openWayOut, type WayOut } from "../../egress/way-out.ts";
import type { GpuNodes } from "../../gpus/device-nodes.ts";
import type { Suppliers } from "../docker/bring-in.ts";
import { type ContainerOwner, LABELS, SHELL_KIND, specDigest } from "../docker/container-config.ts";
import { untilExit } from "../docker/container-exit.ts";
import { assertGpusGiven, engineFailure } from "../docker/engine-failure.ts";
import type { HostLimits } from "../docker/host-limits.ts";
import { watchProcess } from "../docker/process-lives.ts";
import { pullImage } from "../docker/pull-image.ts";
import { removeContainer } from "../docker/remove-container.ts";
import type { CreateContainer } from "../podman/create-container.ts";
import { shellContainer } from "./shell-container-config.ts";
import type { ShellDisks } from "./shell-disks.ts";

export interface ShellDriverOptions extends Pick<Suppliers, "docker" | "pullRight" | "images"> {
  readonly owner: ContainerOwner;
  readonly hostLimits: HostLimits;
  readonly gpuNodes: GpuNodes;
  readonly createContainer: CreateContainer;
  /** What root in a container is on this machine. */
  readonly rootId: number;
  readonly disks: ShellDisks;
  /** Of the proxies' sockets; short, since the path of a socket may have 107 bytes. */
  readonly socketDir: string;
  /** What is not public in this machine's network, and shells may reach all the same. */
  readonly egressRanges: readonly IpRange[];
  readonly log: Logger;
  /** Null where this machine can have them. */
  readonly whyNot: string | null;
}

export function shellDriver(options: ShellDriverOptions): Driver {
  const { docker, owner } = options;
  const adopted = new Set<string>();
  /** A shell's disks belong to one of its containers at a time, also while one goes and another comes. */
  const locks = new KeyedLock();

  /** Holds the shell until `end` of what `begin` returns. */
  const holding = (spec: WorkloadSpec, signal: AbortSignal, begin: (shell: ShellPart) => Promise<Prover>) =>
    new Promise<Prover>((resolve, reject) => {
      const shell = shellOf(spec);
      locks
        .run(shell.id, signal, async () => {
          const prover = await begin(shell);
          resolve(prover);
          await prover.ended;
        })
        .catch(reject);
    });

  return {
    name: "docker",
    find: async () => {
      const filters = { label: [`${LABELS.node}=${owner.nodeId}`, `${LABELS.kind}=${SHELL_KIND}`] };
      const all = await docker.listContainers({ all: true, filters });
      return all
        .filter(({ Id, Labels }) => Labels[LABELS.session] !== owner.sessionId && !adopted.has(Id))
        .map(({ Id, Labels }): FoundWorkload => {
          const container = docker.getContainer(Id);
          return {
            assignmentId: Labels[LABELS.assignment] ?? "",
            handle: Id,
            remove: () => removeContainer(container),
            adopt: async (spec, signal) => {
              adopted.add(Id);
              if (await isOf(container, spec)) {
                return await holding(spec, signal, (shell) => shellIn(options, container, shell));
              }
              await removeContainer(container);
              return null;
            },
          };
        });
    },
    start: (spec, report, signal) =>
      holding(spec, signal, async (shell) => {
        if (options.whyNot !== null) throw new StartFailure("internal", options.whyNot);
        if (!shell.erase) return await start(options, spec, shell, { report, signal });
        await options.disks.erase(shell.id);
        return nothingLeft();
      }),
  };
}

async function start(
  options: ShellDriverOptions,
  spec: WorkloadSpec,
  shell: ShellPart,
  { report, signal }: { readonly report: ReportProgress; readonly signal: AbortSignal },
): Promise<Prover> {
  const { docker, disks, owner, hostLimits: host } = options;
  const image = await pullImage(docker, spec.image, {
    onBytes: (doneBytes, totalBytes) => report({ step: "pulling", doneBytes, totalBytes }),
    right: (abort) => options.pullRight(spec.assignmentId, abort),
    images: options.images,
    signal,
  });
  report({ step: "starting", doneBytes: 0, totalBytes: 0 });
  let container: Container | null = null;
  try {
    const attached = await disks.attach(shell.id, { ...shell, rootId: options.rootId });
    signal.throwIfAborted();
    const wanted = shellContainer(spec, image, owner, { host, disks: attached });
    container = await options.createContainer(wanted).catch((error: unknown) => {
      throw engineFailure("created", error, spec);
    });
    await container.start().catch((error: unknown) => {
      throw notStarted(engineFailure("started", error, spec));
    });
    await assertGpusGiven(container, spec, options.gpuNodes);
    // Whoever aborted meanwhile waits for nothing to be left.
    signal.throwIfAborted();
    return await shellIn(options, container, shell);
  } catch (error) {
    if (container !== null) await removeContainer(container);
    await disks.detach(shell.id);
    throw error;
  }
}

/** All that is run of the image is its shell. */
function notStarted(failure: StartFailure): StartFailure {
  if (failure.reason !== "prover_error") return failure;
  const message = `the image cannot be a shell's, which needs its /bin/sh: ${failure.message}`;
  return new StartFailure("image_unavailable", message, { cause: failure });
}

async function isOf(container: Container, spec: WorkloadSpec): Promise<boolean> {
  const { Config, State } = await container.inspect();
  return State.Running && Config.Labels[LABELS.spec] === specDigest(spec);
}

/** A container that runs. Once it has ended, it and its disks' devices go. */
async function shellIn(options: ShellDriverOptions, container: Container, shell: ShellPart): Promise<Prover> {
  const { State } = await container.inspect();
  if (!State.Running || State.Pid === 0) throw new StartFailure("prover_error", "the shell's container ended at once");
  const first = watchProcess(State.Pid);
  let byAgent = false;
  const exited = untilExit(container, first.lives, () => byAgent);
  const wayOut = await wayOutOf(options, container, shell, State.Pid);
  const ended = exited.then(async (end) => {
    await wayOut?.stop();
    await removeContainer(container);
    first.kill();
    await options.disks.detach(shell.id);
    return end;
  });
  return taskless(ended, async () => {
    byAgent = true;
    await container.kill({ signal: "SIGKILL" }).catch(() => first.kill());
  });
}

/** Null for a shell that reaches nothing. */
async function wayOutOf(
  { socketDir, egressRanges: allowRanges, log }: ShellDriverOptions,
  container: Container,
  { id: shellId, egress: rules }: ShellPart,
  pid: number,
): Promise<WayOut | null> {
  if (rules.length === 0) return null;
  const stillRuns = async () => {
    const { State } = await container.inspect();
    return State.Running && State.Pid === pid;
  };
  const socketPath = join(socketDir, `${container.id.slice(0, 12)}.out.sock`);
  return await openWayOut({ socketPath, rules, allowRanges, pid, stillRuns, log: log.child({ shellId }) });
}

function nothingLeft(): Prover {
  const end = Promise.withResolvers<ProverEnd>();
  return taskless(end.promise, async () => {
    end.resolve({ exitCode: 0, signal: null, outOfMemory: false, byAgent: true });
  });
}

/** Takes no tasks: none is ever sent to a shell. */
function taskless(ended: Promise<ProverEnd>, kill: () => Promise<void>): Prover {
  return {
    log: proverLog(),
    prove: async () => ({ kind: "broken", error: new Error("a shell takes no tasks"), logTail: "" }),
    ended,
    idle: async () => undefined,
    stop: async () => {
      await kill();
      await ended;
    },
  };
}

function shellOf({ shell }: WorkloadSpec): ShellPart {
  if (shell === null) throw new Error("the workload is no shell");
  return shell;
}
