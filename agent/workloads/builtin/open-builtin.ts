/** Makes the builtin driver of this node: creates the root, tries the sandbox, lists the provers of the library. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Logger } from "@elastic/std/log.ts";
import type { Driver } from "../../domain/driver.ts";
import { StartFailure } from "../../domain/start-failure.ts";
import type { GpuNodes } from "../../gpus/device-nodes.ts";
import { builtinDriver } from "./builtin-driver.ts";
import { createSandbox, type Sandbox } from "./create-sandbox.ts";
import { type ExtraFile, hostCommand, type SandboxKind } from "./sandbox.ts";

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

export async function openBuiltins(settings: BuiltinSettings, gpuNodes: GpuNodes, log: Logger): Promise<Builtins> {
  const { ffiLibrary, testProvers } = settings;
  if (ffiLibrary === null) return NO_BUILTINS;
  const sandbox = await createSandbox(
    { library: ffiLibrary, companions: [], folder: join(settings.stateDir, "sandbox") },
    log,
  );
  if (sandbox === null) {
    log.error("neither bubblewrap nor another user works here: builtin provers would run as root, so there are none");
    return NO_BUILTINS;
  }
  const provers = await listProvers(sandbox, testProvers);
  const extraFiles: readonly ExtraFile[] =
    settings.srsFile === null ? [] : [{ variable: "ELASTIC_SRS_PATH", path: settings.srsFile }];
  const driver = builtinDriver({ sandbox, provers, testProvers, extraFiles, gpuNodes });
  return { driver, provers, sandbox: sandbox.kind };
}

async function listProvers(sandbox: Sandbox, testProvers: boolean): Promise<readonly string[]> {
  const args = [testProvers ? "1" : "0"];
  const common = { ...sandbox, extraFiles: [], openFilesMax: OPEN_FILES_MAX } as const;
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
