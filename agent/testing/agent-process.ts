/** An agent as a separate process, so that a test can kill it. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { COMPILE_CACHE } from "@elastic/deploy/local/compile-cache.ts";
import type { TlsFiles } from "../domain/tls-files.ts";
import { eventually } from "./eventually.ts";
import { FFI_LIBRARY } from "./start-test-agent.ts";

export interface AgentProcess {
  readonly pid: number;
  /** Every line it logged so far. */
  readonly logged: readonly LogLine[];
  line(message: string | RegExp): Promise<LogLine>;
  kill(signal?: NodeJS.Signals): Promise<void>;
}

interface LogLine {
  readonly msg: string;
  readonly metrics?: string;
}

export const MAIN = fileURLToPath(new URL("../main.ts", import.meta.url));

export function agentEnv(tls: TlsFiles, coordinators: string, stateDir: string): Record<string, string> {
  return {
    ...COMPILE_CACHE,
    PATH: process.env.PATH ?? "",
    ELASTIC_COORDINATORS: coordinators,
    ELASTIC_TLS_CA: tls.caFile,
    ELASTIC_TLS_CERT: tls.certFile,
    ELASTIC_TLS_KEY: tls.keyFile,
    ELASTIC_STATE_DIR: stateDir,
    ELASTIC_ENGINE_SOCKET: "none",
    ELASTIC_FFI_LIBRARY: FFI_LIBRARY,
    ELASTIC_ACCEL_LIBRARY: "none",
    // However full the disk of the machine is.
    ELASTIC_DISK_HIGH_PERCENT: "100",
    ELASTIC_BUILTIN_TEST_PROVERS: "1",
    ELASTIC_METRICS_LISTEN: "127.0.0.1:0",
  };
}

export function spawnAgent(env: Record<string, string>, ...args: readonly string[]): AgentProcess {
  const command = args.length === 0 ? ["run"] : args;
  const child: ChildProcess = spawn(process.execPath, [MAIN, ...command], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const logged: LogLine[] = [];
  let rest = "";
  child.stdout?.on("data", (chunk: Buffer) => {
    const lines = (rest + chunk.toString("utf8")).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line.startsWith("{")) logged.push(JSON.parse(line) as LogLine);
  });
  const matches = (line: LogLine, message: string | RegExp): boolean =>
    typeof message === "string" ? line.msg === message : message.test(line.msg);
  return {
    pid: child.pid ?? 0,
    logged,
    line: (message) => eventually(`log line ${message}`, () => logged.find((line) => matches(line, message))),
    kill: async (signal = "SIGKILL") => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill(signal);
      await once(child, "exit");
    },
  };
}
