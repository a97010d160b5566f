/** Makes the builtin driver of this node: lays the stage, tries the sandbox, asks the library what it offers. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Logger } from "@elastic/std/log.ts";
import type { Driver } from "../driver.ts";
import { StartFailure } from "../start-failure.ts";
import { builtinDriver } from "./builtin-driver.ts";
import { chooseSandbox, type ExtraFile, hostCommand, type SandboxKind } from "./sandbox.ts";
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

const LIST_TIMEOUT_MS = 20_000;
const OPEN_FILES_MAX = 1024;

export async function openBuiltins(settings: BuiltinSettings, log: Logger): Promise<Builtins> {
  const { ffiLibrary, testProvers } = settings;
  if (ffiLibrary === null) return { driver: noLibrary, provers: [], sandbox: "none" };
  const isRoot = process.getuid?.() === 0;
  const stage = await layStage(join(settings.stateDir, "sandbox"), ffiLibrary);
  const sandbox = await chooseSandbox(stage, isRoot);
  if (sandbox !== "bubblewrap") {
    log.warn({ sandbox }, "bubblewrap does not work here: builtin provers run without namespaces of their own");
  }
  const provers = await listProvers({ stage, sandbox, isRoot, testProvers });
  const extraFiles: readonly ExtraFile[] =
    settings.srsFile === null ? [] : [{ variable: "ELASTIC_SRS_PATH", path: settings.srsFile }];
  const driver = builtinDriver({ stage, sandbox, isRoot, provers, testProvers, extraFiles });
  return { driver, provers, sandbox };
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

const noLibrary: Driver = {
  name: "builtin",
  find: async () => [],
  start: async () => {
    throw new StartFailure("image_unavailable", "this node has no library of builtin provers");
  },
};
