/** One build, from its source to the pushed image: the stages in order, and everything of it gone at the end. */
import { chown, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { EgressRule } from "@elastic/proto/gen/elastic/fleet/v1/workload.ts";
import type { Logger } from "@elastic/std/log.ts";
import type { IpRange } from "@elastic/std/net/ip-address.ts";
import { BuildFailure, isOutOfSpace } from "../domain/build-failure.ts";
import type { BuildSpec } from "../domain/build-spec.ts";
import type { RequestPullRight } from "../domain/pull-right.ts";
import { openWayOut } from "../egress/way-out.ts";
import { FileUnavailableError, fetchFile, type OpenFile } from "../volumes/fetch-file.ts";
import { memoryKillsOf } from "../workloads/docker/memory-kills.ts";
import type { BuildLog } from "./build-log.ts";
import { withBuiltInFrontEnd } from "./buildkit/build-file-text.ts";
import { buildctlArguments, buildkitdToml, GATEWAY_HOST, SANDBOX } from "./buildkit/buildkit-config.ts";
import { clientOutput } from "./buildkit/client-output.ts";
import { explainFailure } from "./buildkit/explain-failure.ts";
import type { CacheDisks, MountedDisk } from "./cache-disk.ts";
import { checkImage, imageBytes } from "./image/check-image.ts";
import { readImageLayout } from "./image/image-layout.ts";
import { pushImage } from "./image/push-image.ts";
import { baseImages } from "./registry/base-images.ts";
import { type RegistryClient, registryClient } from "./registry/registry-client.ts";
import { removeSandboxes, type Sandbox, startSandbox } from "./sandbox/sandbox.ts";
import { firstIdOf } from "./sandbox/uid-range.ts";
import { directoryWithin, readBuildFile } from "./source/build-file.ts";
import { buildFileFor } from "./source/rust-build-file.ts";
import { unpackArchive } from "./source/unpack-archive.ts";
import { whileUnreachable } from "./while-unreachable.ts";

export interface BuilderOptions {
  /** Of sandboxes while they run; every user may pass through it. */
  readonly runFolder: string;
  /** Control group of its sandboxes. */
  readonly group: string;
  /** Folder of BuildKit's programs. */
  readonly programs: string;
  readonly diskBytes: number;
  readonly disks: CacheDisks;
  /** Of the proxies' sockets; short, since the path of a socket may have 107 bytes. */
  readonly socketDir: string;
  /** Where steps may connect. */
  readonly egress: readonly EgressRule[];
  /** What is not public in this machine's network, and steps may reach all the same. */
  readonly egressRanges: readonly IpRange[];
  /** `host[:port]` of a pull-through mirror for base images; null for none. */
  readonly mirror: string | null;
  readonly openSource: (assignmentId: string) => OpenFile;
  readonly pullRight: RequestPullRight;
  readonly log: Logger;
}

export type StageName = "waiting" | "fetching" | "unpacking" | "building" | "checking" | "pushing";

export interface BuiltImage {
  readonly digest: string;
  readonly bytes: number;
}

export interface BuildCall {
  readonly log: BuildLog;
  readonly onStage: (stage: StageName) => void;
  readonly signal: AbortSignal;
}

/** Of the sockets of its proxies. */
const SOCKET_SUFFIX = ".bld.sock";

/** Removes what is of builds that a killed agent left, but for the disks. Only while no build runs. */
export async function removeLeftovers({ runFolder, socketDir }: Pick<BuilderOptions, "runFolder" | "socketDir">) {
  await removeSandboxes(join(runFolder, "runc"));
  await rm(join(runFolder, "bundles"), { recursive: true, force: true });
  for (const name of await readdir(socketDir)) {
    if (name.endsWith(SOCKET_SUFFIX)) await rm(join(socketDir, name), { force: true });
  }
}

/** Throws BuildFailure, or the signal's reason. */
export async function runBuild(options: BuilderOptions, spec: BuildSpec, call: BuildCall): Promise<BuiltImage> {
  const disk = await options.disks.mount(spec.teamId);
  let isSpoilt = false;
  try {
    return await onDisk(options, spec, call, disk);
  } catch (error) {
    isSpoilt = error instanceof BuildFailure && error.reason === "disk_full";
    throw error;
  } finally {
    await disk.unmount();
    // A full disk would fail the next build too.
    if (isSpoilt) await options.disks.erase(spec.teamId);
  }
}

async function onDisk(
  options: BuilderOptions,
  spec: BuildSpec,
  call: BuildCall,
  disk: MountedDisk,
): Promise<BuiltImage> {
  const job = join(disk.path, "job");
  // What a killed agent left.
  await rm(job, { recursive: true, force: true });
  try {
    const place = await layOut(job, spec);
    const { log, onStage, signal } = call;
    onStage("fetching");
    log.note(`fetching the source, ${spec.source.bytes} bytes`);
    await fetchSource(options, spec, place, signal);
    onStage("unpacking");
    await unpackArchive(place.archive, place.source, { stripComponents: spec.source.stripComponents, signal });
    const context = await directoryWithin(place.source, spec.baseDir);
    await writeBuildFile(spec, place, context);
    const registry = await registryOf(options, spec, signal);
    await writeFile(join(place.file, "buildkitd.toml"), buildkitdToml(options, registry?.host ?? null));
    onStage("building");
    await buildInSandbox(options, spec, call, { place, context, disk, registry });
    onStage("checking");
    const layout = await readImageLayout(place.out);
    checkImage(layout, spec.limits.imageBytes);
    onStage("pushing");
    if (registry === null) throw new BuildFailure("registry_unavailable", "this installation has no registry");
    const repository = spec.repository.slice(registry.host.length + 1);
    log.note(`pushing ${imageBytes(layout)} bytes to ${spec.repository}`);
    const digest = await pushImage(layout, { registry, repository, tag: spec.tag }, signal);
    return { digest, bytes: imageBytes(layout) };
  } catch (error) {
    if (!isOutOfSpace(error) || !(await disk.isFull())) throw error;
    throw new BuildFailure("disk_full", "the disk of the team's builds is full: the source does not fit on it", {
      cause: error,
    });
  } finally {
    await rm(job, { recursive: true, force: true });
  }
}

interface JobPlace {
  readonly archive: string;
  readonly source: string;
  readonly file: string;
  readonly out: string;
}

async function layOut(job: string, { teamId }: BuildSpec): Promise<JobPlace> {
  const place = {
    archive: join(job, "source.tar"),
    source: join(job, "source"),
    file: join(job, "file"),
    out: join(job, "out"),
  };
  for (const folder of [job, place.source, place.file, place.out]) await mkdir(folder, { mode: 0o755 });
  const owner = firstIdOf(teamId);
  await chown(place.out, owner, owner);
  return place;
}

async function fetchSource(
  { openSource }: BuilderOptions,
  { assignmentId, source }: BuildSpec,
  { archive }: JobPlace,
  signal: AbortSignal,
): Promise<void> {
  try {
    await whileUnreachable(signal, () =>
      fetchFile({
        file: source,
        partial: `${archive}.part`,
        path: archive,
        open: openSource(assignmentId),
        onBytes: () => undefined,
        signal,
      }),
    );
  } catch (error) {
    signal.throwIfAborted();
    const message = error instanceof Error ? error.message : String(error);
    const isGone = error instanceof FileUnavailableError;
    throw new BuildFailure(
      "source_unavailable",
      `the source could not be fetched: ${isGone ? "it is gone" : message}`,
      { cause: error },
    );
  }
}

async function writeBuildFile(
  { baseDir, buildFile }: BuildSpec,
  { source, file }: JobPlace,
  context: string,
): Promise<void> {
  const manifest = join(baseDir, "Cargo.toml");
  const text =
    (await readBuildFile(source, join(baseDir, buildFile))) ?? buildFileFor(await readBuildFile(source, manifest));
  if (text === null) {
    throw new BuildFailure(
      "build_file_missing",
      `there is no ${buildFile} in ${baseDir === "" ? "the source" : baseDir}: run \`elastic init\` there, or name the directory that has one`,
    );
  }
  await writeFile(join(file, "Dockerfile"), withBuiltInFrontEnd(text));
  const ignored = await readBuildFile(context, `${buildFile}.dockerignore`);
  if (ignored !== null) await writeFile(join(file, "Dockerfile.dockerignore"), ignored);
}

/** Null where the installation has no registry that requires a right. */
async function registryOf(
  { pullRight }: BuilderOptions,
  { assignmentId, repository }: BuildSpec,
  signal: AbortSignal,
): Promise<RegistryClient | null> {
  if (repository === "") return null;
  const right = await whileUnreachable(signal, () => pullRight(assignmentId, signal));
  const host = repository.slice(0, repository.indexOf("/"));
  return registryClient({ host, password: right?.host === host ? right.password : null });
}

interface SandboxParts {
  readonly place: JobPlace;
  readonly context: string;
  readonly disk: MountedDisk;
  readonly registry: RegistryClient | null;
}

async function buildInSandbox(
  options: BuilderOptions,
  spec: BuildSpec,
  call: BuildCall,
  parts: SandboxParts,
): Promise<void> {
  const { log, signal } = call;
  const sandbox = await startSandbox({
    id: spec.assignmentId,
    runcRoot: join(options.runFolder, "runc"),
    bundle: join(options.runFolder, "bundles", spec.assignmentId),
    place: {
      firstId: firstIdOf(spec.teamId),
      programs: options.programs,
      state: parts.disk.state,
      source: parts.context,
      file: parts.place.file,
      out: parts.place.out,
      cgroup: `${options.group}/${spec.assignmentId}`,
      memoryBytes: spec.limits.memoryBytes,
      pids: spec.limits.pids,
      logBytes: spec.limits.logBytes,
    },
  });
  try {
    const memoryKills = memoryKillsOf(sandbox.pid);
    const wayOut = await openProxy(options, spec, call, sandbox, parts.registry);
    try {
      await untilReady(sandbox, signal);
      const output = clientOutput(log.write);
      const code = await sandbox.run(buildctlArguments(spec), output.write, signal);
      output.end();
      if (code === 0) return;
      throw explainFailure(log.tail(), { memoryKills: memoryKills(), diskIsFull: await parts.disk.isFull() });
    } finally {
      await wayOut.stop();
    }
  } finally {
    await sandbox.remove();
  }
}

async function openProxy(
  options: BuilderOptions,
  spec: BuildSpec,
  { log, signal }: BuildCall,
  sandbox: Sandbox,
  registry: RegistryClient | null,
) {
  const { mirror, egress: rules, egressRanges: allowRanges, socketDir } = options;
  const registries = [
    ...(registry === null ? [] : [registry]),
    ...(mirror === null ? [] : [registryClient({ host: mirror, password: null })]),
  ];
  const refused = new Set<string>();
  return await openWayOut({
    socketPath: join(socketDir, `${spec.assignmentId.slice(-12)}${SOCKET_SUFFIX}`),
    rules,
    allowRanges,
    listOf: "the list of hosts that builds may reach",
    localHosts: new Map([[GATEWAY_HOST, baseImages({ registries, log: options.log, signal })]]),
    onDecision: ({ host, port }, isAllowed) => {
      options.log.info({ buildId: spec.buildId, host, port, isAllowed }, "a build requested a connection");
      const name = `${host}:${port}`;
      if (isAllowed || refused.has(name)) return;
      refused.add(name);
      log.note(`refused a connection to ${name}: it is not on the list of hosts that builds may reach`);
    },
    pid: sandbox.pid,
    stillRuns: () => sandbox.isRunning(),
    log: options.log,
  });
}

const READY_TRIES = 100;

async function untilReady(sandbox: Sandbox, signal: AbortSignal): Promise<void> {
  const args = [`${SANDBOX.programs}/buildctl`, `--addr=unix://${SANDBOX.socket}`, "--timeout=10", "debug", "workers"];
  let said = "";
  for (let tries = 0; tries < READY_TRIES; tries++) {
    said = "";
    const code = await sandbox.run(args, (chunk) => (said += chunk.toString("utf8")), signal);
    if (code === 0) return;
  }
  throw new Error(`BuildKit did not start: ${said.slice(-500)}`);
}
