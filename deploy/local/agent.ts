/** How an agent is started on this machine. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";
import type { CertificateFiles } from "../dev-ca.ts";
import { SERVICE_NODE_OPTION } from "../node-options.ts";
import type { Child } from "./child.ts";
import { COMPILE_CACHE } from "./compile-cache.ts";
import { hostOf, lineWithMessage } from "./json-line.ts";
import type { Program } from "./program.ts";
import { inRepository } from "./repository.ts";

const MAIN = inRepository("agent", "main.ts");
const ENROLL_TIMEOUT_MS = 30_000;

export interface AgentPlace {
  readonly name: string;
  /** `host:port` of each coordinator's gRPC listener; none for an enrolled agent, which knows them. */
  readonly coordinators: readonly string[];
  /** Names the node; null for an enrolled agent, whose state has it. */
  readonly tls: CertificateFiles | null;
  readonly stateDir: string;
  /** Socket of the container engine, or null to run builtin provers only. */
  readonly engineSocket: string | null;
  readonly metricsPort: number;
  readonly logFile: string;
  readonly path: string;
  /** Further settings, such as `ELASTIC_SLOTS`. */
  readonly settings?: Readonly<Record<string, string>>;
}

const FFI_LIBRARY = inRepository("target", "release", "libelastic_ffi.so");
/** Where set-up has built the acceleration library too. */
const ACCELERATED_FFI_LIBRARY = inRepository("target", "accelerated", "libelastic_ffi.so");

/** The builtin provers' library, where set-up builds it: on the acceleration library if that is there. */
export function ffiLibrary(): string {
  return existsSync(ACCELERATED_FFI_LIBRARY) ? ACCELERATED_FFI_LIBRARY : FFI_LIBRARY;
}

/** Where set-up builds BuildKit. */
const BUILDKIT_FOLDER = inRepository(".cache", "bin");

export function agentProgram(place: AgentPlace): Program {
  return {
    name: place.name,
    command: process.execPath,
    args: [SERVICE_NODE_OPTION, MAIN, "run"],
    env: {
      ...COMPILE_CACHE,
      PATH: `${BUILDKIT_FOLDER}:${place.path}`,
      ELASTIC_COORDINATORS: place.coordinators.join(","),
      ELASTIC_TLS_CA: place.tls?.ca ?? "",
      ELASTIC_TLS_CERT: place.tls?.cert ?? "",
      ELASTIC_TLS_KEY: place.tls?.key ?? "",
      ELASTIC_STATE_DIR: place.stateDir,
      ELASTIC_ENGINE_SOCKET: place.engineSocket ?? "none",
      ELASTIC_FFI_LIBRARY: ffiLibrary(),
      // Measuring takes all cores for a while: only where somebody requests it.
      ELASTIC_ACCEL_LIBRARY: "none",
      // It takes work however full the disk of this machine is.
      ELASTIC_DISK_HIGH_PERCENT: "100",
      ELASTIC_METRICS_LISTEN: `127.0.0.1:${place.metricsPort}`,
      ...place.settings,
    },
    logFile: place.logFile,
  };
}

/** Runs a line that lets a machine join; the agent of `stateDir` is that node from then on. */
export async function enrollAgent(
  line: string,
  { stateDir, path }: Pick<AgentPlace, "stateDir" | "path">,
): Promise<void> {
  const pasted = line.replace(" elastic-agent ", ` ${process.execPath} ${MAIN} `);
  const env = { ...COMPILE_CACHE, PATH: path, ELASTIC_STATE_DIR: stateDir, ELASTIC_ACCEL_LIBRARY: "none" };
  await promisify(execFile)("/bin/sh", ["-c", pasted], { env, timeout: ENROLL_TIMEOUT_MS });
}

export interface AgentStarted {
  readonly nodeId: string;
  /** `host:port` of its metrics. */
  readonly metrics: string;
}

/** What the agent says of itself once it has started; it may not be linked to a coordinator yet. */
export async function agentReady(child: Child, timeoutMs: number): Promise<AgentStarted> {
  const record = await child.line(lineWithMessage("ready"), timeoutMs);
  return { nodeId: String(record.nodeId), metrics: hostOf(record.metrics) };
}
