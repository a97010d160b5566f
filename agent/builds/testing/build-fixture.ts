/** A builder of this machine, with a registry and without a coordinator: sources come from memory. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newId } from "@elastic/std/ids.ts";
import { type Registry, startRegistry } from "../../../test/cluster/registry.ts";
import type { BuildFailure } from "../../domain/build-failure.ts";
import type { BuildSettings } from "../../domain/build-settings.ts";
import type { BuildSpec } from "../../domain/build-spec.ts";
import { makeSocketDir } from "../../status/socket-dir.ts";
import type { OpenFile } from "../../volumes/fetch-file.ts";
import { buildLog } from "../build-log.ts";
import { runFolderOf } from "../open-builder.ts";
import type { BuiltImage, StageName } from "../run-build.ts";
import { type Archive, archiveOf, type Entries } from "./archive.ts";
import { pushBusybox } from "./push-busybox.ts";
import { type BuilderPlace, openTestBuilder } from "./test-builder.ts";

const MIB = 1024 ** 2;

export interface Built {
  readonly image: BuiltImage | null;
  readonly failure: BuildFailure | null;
  readonly log: string;
  readonly stages: readonly StageName[];
}

interface BuildOptions {
  readonly signal?: AbortSignal;
  /** The build continues once this has returned. */
  readonly onStage?: (stage: StageName) => void;
  /** In place of the archive. */
  readonly open?: OpenFile;
}

export interface BuildFixture extends BuilderPlace {
  /** Its address. */
  readonly registry: string;
  readonly registryPart: Registry;
  readonly teamId: string;
  /** Of its sandboxes. */
  readonly runFolder: string;
  /** Builds what the entries say; rejects only with the signal's reason. */
  build(entries: Entries | Archive, more?: Partial<BuildSpec>, options?: BuildOptions): Promise<Built>;
  specOf(archive: Archive, teamId?: string): BuildSpec;
  /** Opens the builder again, as an agent does that starts. */
  reopen(): Promise<void>;
  /** Its folders go too. */
  close(): Promise<void>;
}

export async function startBuildFixture(settings: Partial<BuildSettings> = {}): Promise<BuildFixture> {
  const registryPart = await startRegistry();
  const registry = registryPart.host;
  await pushBusybox(registry, null);
  const stateDir = mkdtempSync(join(tmpdir(), "elastic-agent-test-"));
  const place = { folder: join(stateDir, "builds"), socketDir: makeSocketDir(stateDir) };
  const sources = new Map<string, OpenFile>();
  const openSource = (assignmentId: string): OpenFile => sources.get(assignmentId) ?? fromMemory(Buffer.alloc(0));
  const open = () => openTestBuilder(place, openSource, settings);
  let builder = await open();
  const fixtureTeam = newId(Date.now());
  const closing = new AbortController();
  const underWay = new Set<Promise<unknown>>();
  const specOf = (archive: Archive, teamId = fixtureTeam) => specIn(registry, archive, teamId);
  return {
    ...place,
    registry,
    registryPart,
    teamId: fixtureTeam,
    runFolder: runFolderOf(place.folder),
    specOf,
    build: async (entries, more = {}, options = {}) => {
      const { signal = new AbortController().signal, onStage, open: from } = options;
      const archive = "bytes" in entries ? entries : await archiveOf(entries);
      const spec = { ...specOf(archive, more.teamId), ...more };
      sources.set(spec.assignmentId, from ?? fromMemory(archive.bytes));
      const stages: StageName[] = [];
      let text = "";
      const stop = new AbortController();
      const within = AbortSignal.any([signal, stop.signal, closing.signal]);
      const append = (chunk: Buffer) => (text += chunk.toString("utf8"));
      const log = buildLog({ bytesMax: spec.limits.logBytes, append, onFull: (why) => stop.abort(why) });
      const entered = (stage: StageName) => {
        stages.push(stage);
        onStage?.(stage);
      };
      const running = builder.run(spec, { log, onStage: entered, signal: within }).then(
        (image) => ({ image, failure: null }),
        (error: unknown) => {
          signal.throwIfAborted();
          return { image: null, failure: error as BuildFailure };
        },
      );
      underWay.add(running);
      const settled = await running.finally(() => {
        underWay.delete(running);
        sources.delete(spec.assignmentId);
      });
      return { ...settled, log: text, stages };
    },
    reopen: async () => {
      builder = await open();
    },
    close: async () => {
      // What a test abandoned is ended too: its sandbox holds mounts in the folders that are removed.
      closing.abort(new Error("the fixture is closed"));
      await Promise.allSettled(underWay);
      await registryPart[Symbol.asyncDispose]();
      await builder.close();
      rmSync(stateDir, { recursive: true, force: true });
    },
  };
}

function fromMemory(bytes: Buffer): OpenFile {
  return async function* (_, offset) {
    yield bytes.subarray(offset);
  };
}

function specIn(registry: string, archive: Archive, teamId: string): BuildSpec {
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
