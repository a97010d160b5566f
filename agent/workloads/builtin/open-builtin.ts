/** Makes the builtin driver of this node: lays the stage, tries the sandbox, asks the library what it offers. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import type { Logger } from "@elastic/std/log.ts";
import type { GpuNodes } from "../../gpus/device-nodes.ts";
import type { Driver } from "../driver.ts";
import { StartFailure } from "../start-failure.ts";
import { builtinDriver } from "./builtin-driver.ts";
import { type ExtraFile, hostCommand, type SandboxKind, whyNoSandbox } from "./sandbox.ts";
import { layStage, type Stage } from "./stage.ts";

export interface BuiltinSettings {
  readonly ffiLibrary: string | null;
  readonly srsFile: string | null;
  readonly testProvers: boolean;
  readonly stateDir: string;
}

export interface Builtins {
  readonly driver: Driver;
  /** Names the library offers; none without a library. */
  readonly provers: readonly string[];
  readonly sandbox: SandboxKind;
}

/** Root's own, and every user may pass through it. */
const OPEN_FOLDER = "/run";
const LIST_TIMEOUT_MS = 20_000;
const OPEN_FILES_MAX = 1024;

export async function openBuiltins(settings: BuiltinSettings, gpuNodes: GpuNodes, log: Logger): Promise<Builtins> {
  const { ffiLibrary, testProvers } = settings;
  if (ffiLibrary === null) return NO_BUILTINS;
  const isRoot = process.getuid?.() === 0;
  const walled = await putUpWalls(ffiLibrary, settings.stateDir, isRoot, log);
  if (walled === null) {
    log.error("neither bubblewrap nor another user works here: builtin provers would run as root, so there are none");
    return NO_BUILTINS;
  }
  const { stage, sandbox } = walled;
  const provers = await listProvers({ stage, sandbox, isRoot, testProvers });
  const extraFiles: readonly ExtraFile[] =
    settings.srsFile === null ? [] : [{ variable: "ELASTIC_SRS_PATH", path: settings.srsFile }];
  const driver = builtinDriver({ stage, sandbox, isRoot, provers, testProvers, extraFiles, gpuNodes });
  return { driver, provers, sandbox };
}

/** The strongest walls that work here; null when there are none and the agent is root. */
async function putUpWalls(
  ffiLibrary: string,
  stateDir: string,
  isRoot: boolean,
  log: Logger,
): Promise<{ readonly stage: Stage; readonly sandbox: SandboxKind } | null> {
  const stage = await layStage(join(stateDir, "sandbox"), ffiLibrary);
  const why = await whyNoSandbox("bubblewrap", stage, isRoot);
  if (why === null) return { stage, sandbox: "bubblewrap" };
  log.warn({ why }, "bubblewrap does not work here: builtin provers run without namespaces of their own");
  if (!isRoot) return { stage, sandbox: "none" };
  // Without mounts of its own the other user needs a way to the files: the state directory is closed to it.
  const tag = createHash("sha256").update(resolve(stateDir)).digest("hex").slice(0, 16);
  const open = await layStage(join(OPEN_FOLDER, `elastic-agent-${tag}`), ffiLibrary);
  return (await whyNoSandbox("user", open, isRoot)) === null ? { stage: open, sandbox: "user" } : null;
}

async function listProvers(options: {
  readonly stage: Stage;
  readonly sandbox: SandboxKind;
  readonly isRoot: boolean;
  readonly testProvers: boolean;
}): Promise<readonly string[]> {
  const { stage, sandbox, isRoot, testProvers } = options;
  const args = [testProvers ? "1" : "0"];
  const common = { kind: sandbox, stage, isRoot, extraFiles: [], openFilesMax: OPEN_FILES_MAX } as const;
  const { file, args: command, env } = hostCommand({ ...common, script: "list-provers.ts", args });
  const { stdout } = await promisify(execFile)(file, command, { timeout: LIST_TIMEOUT_MS, env });
  return JSON.parse(stdout) as string[];
}

const NO_BUILTINS: Builtins = {
  driver: {
    name: "builtin",
    find: async () => [],
    start: async () => {
      throw new StartFailure("image_unavailable", "this node has no builtin provers");
    },
  },
  provers: [],
  sandbox: "none",
};
