/** The process in which a prover works, as the kernel knows it. */
import { readFileSync } from "node:fs";
import { mainProcessOf, runningContainersOf } from "@elastic/deploy/local/node-containers.ts";
import type { Agent } from "@elastic/test/cluster/agent.ts";
import { processTree } from "../measure/process-tree.ts";

/** Of the one container that the agent runs; undefined while there is none. */
export async function containerProcess(engineSocket: string, agent: Agent): Promise<number | undefined> {
  const [container] = await runningContainersOf(engineSocket, agent.nodeId);
  return container && (await mainProcessOf(engineSocket, container.Id));
}

/** Of the one builtin prover of that name; undefined while there is none. */
export function builtinProcess(agent: Agent, prover: string): number | undefined {
  const hosts = processTree(agent.child().pid).filter((pid) => {
    const [program = "", ...args] = (read(pid, "cmdline") ?? "").split("\0");
    return program.endsWith("node") && args.some((arg) => arg.endsWith("host.ts")) && args.includes(prover);
  });
  return hosts.at(-1);
}

/** A process that nobody has waited for yet is gone: it has no memory and runs nothing. */
export function isGone(pid: number): boolean {
  const stat = read(pid, "stat");
  return stat === null || /^[ZX]/.test(stat.slice(stat.lastIndexOf(")") + 2));
}

function read(pid: number, file: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return null;
  }
}
