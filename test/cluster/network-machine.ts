/**
 * A machine as far as its network goes: a network namespace with a link to this one, and nothing else in common.
 * Needs root. The namespace lives as long as the process that holds it, and the link with the namespace.
 */
import { execFile, execFileSync } from "node:child_process";
import { promisify } from "node:util";
import { type Child, startChild } from "@elastic/deploy/local/child.ts";
import type { Program } from "@elastic/deploy/local/program.ts";
import { programPath } from "./machine.ts";

export interface NetworkMachine extends AsyncDisposable {
  /** Of this side of the link: where the machine finds what listens everywhere here. */
  readonly hostAddress: string;
  /** Runs a program on the machine to its end; rejects with its output when it fails. */
  run(command: string, args: readonly string[], env: Readonly<Record<string, string>>): Promise<string>;
  /** The same program, on the machine. */
  inside(program: Program): Program;
}

const COMMAND_TIMEOUT_MS = 30_000;
const HELD_WITHIN_MS = 10_000;

/** Of this process, so that each has its own link and range of addresses. */
let started = 0;

export async function startNetworkMachine(folder: string): Promise<NetworkMachine> {
  const index = started % 64;
  started += 1;
  const env = { PATH: programPath() };
  const name = `machine-${index}`;
  const holder: Child = await startChild({
    name,
    command: "unshare",
    args: ["--net", "sh", "-c", "ip link set lo up && echo held && exec sleep infinity"],
    env,
    logFile: `${folder}/${name}.log`,
  });
  await holder.line((line) => (line === "held" ? true : undefined), HELD_WITHIN_MS);
  const ip = (...args: readonly string[]) => void execFileSync("ip", args, { env, stdio: "pipe" });
  const into = ["--target", String(holder.pid), "--net"];
  // By the process and the index, so that concurrent test runs have others.
  const subnet = `10.${64 + (process.pid % 64)}.${(process.pid >> 6) % 256}.${index * 4}`.split(".").map(Number);
  const at = (offset: number) => [...subnet.slice(0, 3), (subnet[3] ?? 0) + offset].join(".");
  const link = `ela${process.pid}-${index}`;
  ip("link", "add", link, "type", "veth", "peer", "name", "uplink", "netns", String(holder.pid));
  ip("addr", "add", `${at(1)}/30`, "dev", link);
  ip("link", "set", link, "up");
  const inner = (...args: readonly string[]) =>
    void execFileSync("nsenter", [...into, "ip", ...args], { env, stdio: "pipe" });
  inner("addr", "add", `${at(2)}/30`, "dev", "uplink");
  inner("link", "set", "uplink", "up");
  inner("route", "add", "default", "via", at(1));
  return {
    hostAddress: at(1),
    async run(command, args, more) {
      const options = { env: { ...env, ...more }, timeout: COMMAND_TIMEOUT_MS };
      const { stdout } = await promisify(execFile)("nsenter", [...into, command, ...args], options);
      return stdout;
    },
    inside: (program) => ({ ...program, command: "nsenter", args: [...into, program.command, ...program.args] }),
    async [Symbol.asyncDispose]() {
      await holder.stop();
    },
  };
}
