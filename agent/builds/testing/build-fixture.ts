/** A builder of this machine, with a registry and without a coordinator: sources come from memory. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { newId } from "@elastic/std/ids.ts";
import { createLog } from "@elastic/std/log.ts";
import { startRegistry } from "../../../test/cluster/registry.ts";
import type { BuildSettings } from "../../config.ts";
import { makeSocketDir } from "../../socket-dir.ts";
import { BUILDKIT_FOLDER } from "../../testing/start-test-agent.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import type { BuildFailure } from "../build-failure.ts";
import { buildLog } from "../build-log.ts";
import type { BuildSpec } from "../build-spec.ts";
import { openBuilder, runFolderOf } from "../open-builder.ts";
import type { BuiltImage, StageName } from "../run-build.ts";
import { type Archive, archiveOf, type Entries } from "./archive.ts";
import { pushBusybox } from "./push-busybox.ts";

const MIB = 1024 ** 2;

export interface Built {
  readonly image: BuiltImage | null;
  readonly failure: BuildFailure | null;
  readonly log: string;
  readonly stages: readonly StageName[];
}

export interface BuildFixture {
  readonly registry: string;
  readonly teamId: string;
  /** Of its sandboxes. */
  readonly runFolder: string;
  /** Builds what the entries say; rejects only with the signal's reason. */
  build(entries: Entries | Archive, more?: Partial<BuildSpec>, signal?: AbortSignal): Promise<Built>;
  close(): Promise<void>;
}

export async function startBuildFixture(settings: Partial<BuildSettings> = {}): Promise<BuildFixture> {
  const registry = await startRegistry();
  await pushBusybox(registry.host, null);
  const stateDir = temporaryFolder();
  const folder = join(stateDir, "builds");
  const archives = new Map<string, Archive>();
  const all = { max: 1, egress: [], egressRanges: [], mirror: null, diskBytes: 1024 * MIB, cacheBytes: 4096 * MIB };
  const { run, whyNot } = await openBuilder(
    { ...all, path: BUILDKIT_FOLDER, ...settings },
    {
      folder,
      socketDir: makeSocketDir(stateDir),
      openSource: (assignmentId) =>
        async function* (_, offset) {
          yield archives.get(assignmentId)?.bytes.subarray(offset) ?? Buffer.alloc(0);
        },
      pullRight: async () => null,
      log: createLog({ name: "builder", level: process.env.TEST_LOG_LEVEL ?? "silent" }),
    },
  );
  if (run === null) throw new Error(whyNot);
  const teamId = newId(Date.now());
  const closing = new AbortController();
  const underWay = new Set<Promise<unknown>>();
  return {
    registry: registry.host,
    teamId,
    runFolder: runFolderOf(folder),
    build: async (entries, more = {}, signal = new AbortController().signal) => {
      const archive = "bytes" in entries ? entries : await archiveOf(entries);
      const spec = { ...specOf(archive, teamId, registry.host), ...more };
      archives.set(spec.assignmentId, archive);
      const stages: StageName[] = [];
      let text = "";
      const stop = new AbortController();
      const within = AbortSignal.any([signal, stop.signal, closing.signal]);
      const append = (chunk: Buffer) => (text += chunk.toString("utf8"));
      const log = buildLog({ bytesMax: spec.limits.logBytes, append, onFull: (why) => stop.abort(why) });
      const onStage = (stage: StageName) => stages.push(stage);
      const running = run(spec, { log, onStage, signal: within }).then(
        (image) => ({ image, failure: null }),
        (error: unknown) => {
          signal.throwIfAborted();
          return { image: null, failure: error as BuildFailure };
        },
      );
      underWay.add(running);
      const settled = await running.finally(() => underWay.delete(running));
      return { ...settled, log: text, stages };
    },
    close: async () => {
      // What a test gave up on is ended too: its sandbox holds mounts in the folders that are removed.
      closing.abort(new Error("the fixture is closed"));
      await Promise.allSettled(underWay);
      await registry[Symbol.asyncDispose]();
      rmSync(runFolderOf(folder), { recursive: true, force: true });
    },
  };
}

function specOf(archive: Archive, teamId: string, registry: string): BuildSpec {
  const id = newId(Date.now());
  return {
    assignmentId: id,
    buildId: id,
    teamId,
    source: { sha256: archive.sha256, bytes: archive.bytes.length, stripComponents: 0 },
    baseDir: "",
    buildFile: "Dockerfile",
    target: "",
    buildArgs: {},
    noCache: false,
    repository: `${registry}/${teamId}/prover`,
    tag: "test",
    limits: { timeoutMs: 120_000, memoryBytes: 512 * MIB, pids: 256, imageBytes: 256 * MIB, logBytes: 4 * MIB },
    log: { taskId: id, number: 1, token: undefined },
  };
}
