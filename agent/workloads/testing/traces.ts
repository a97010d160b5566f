/** What a node's workloads take of the machine: to compare before and after. A line for each thing. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";

const CGROUPS = "/sys/fs/cgroup";

export interface TracedNode {
  /** Of the engine, whose containers are this node's alone. */
  readonly engineSocket: string;
  readonly agentPid: number;
  readonly stateDir: string;
}

export function tracesOf({ engineSocket, agentPid, stateDir }: TracedNode): readonly string[] {
  const engine = enginesOf(engineSocket);
  const { cgroup, dataRoot, execRoot } = engine;
  const agents = [agentPid, ...descendantsOf(agentPid)];
  const mounts = linesOf(`/proc/${engine.pid}/mounts`).map((line) => line.split(" ").slice(0, 3).join(" "));
  return [
    ...mounts.filter((mount) => mount.includes(dataRoot) || mount.includes(execRoot)).map((line) => `mount ${line}`),
    ...linesOf("/proc/self/mounts")
      .filter((line) => line.includes(stateDir))
      .map((line) => `mount of this machine ${line}`),
    ...loopDevicesOf(stateDir).map((line) => `loop device ${line}`),
    ...cgroupsOf(cgroup).map((folder) => `control group ${folder}`),
    ...processesIn(cgroup).map((pid) => `process of a container ${pid}`),
    ...agents.flatMap((pid) => commandOf(pid)).map((command) => `process of the agent ${command}`),
    ...linesOf("/proc/net/unix")
      .map((line) => line.split(" ").at(-1) ?? "")
      .filter((path) => path.startsWith(stateDir) || path.startsWith(execRoot))
      .map((path) => `socket ${path}`),
    ...networksOf([engine.pid, ...agents, ...descendantsOf(engine.pid)]).map((name) => `network namespace ${name}`),
    ...["containers", "volumes", "overlay2", "tmpfs"].flatMap((part) =>
      namesIn(join(dataRoot, part)).map((name) => `of the engine ${part}/${name}`),
    ),
    ...filesBelow(stateDir).map((path) => `of the agent ${path}`),
  ].sort();
}

interface EngineProcess {
  readonly pid: number;
  readonly cgroup: string;
  readonly dataRoot: string;
  readonly execRoot: string;
}

/** By its command line. */
function enginesOf(socket: string): EngineProcess {
  for (const pid of pids()) {
    const words = linesOf(`/proc/${pid}/cmdline`)[0]?.split("\0") ?? [];
    if (words[0] !== "dockerd" || !words.includes(`--host=unix://${socket}`)) continue;
    const settingOf = (name: string) =>
      words.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3) ?? "";
    const [cgroup, dataRoot, execRoot] = [settingOf("cgroup-parent"), settingOf("data-root"), settingOf("exec-root")];
    return { pid, cgroup, dataRoot, execRoot };
  }
  throw new Error(`no engine listens on ${socket}`);
}

function pids(): readonly number[] {
  return namesIn("/proc").flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
}

function descendantsOf(ancestor: number): readonly number[] {
  const parents = new Map(pids().map((pid) => [pid, parentOf(pid)]));
  const isBelow = (pid: number): boolean => {
    const parent = parents.get(pid) ?? 0;
    return parent === ancestor || (parent > 1 && isBelow(parent));
  };
  return [...parents.keys()].filter(isBelow);
}

/** After the name of its program, which may have spaces and brackets. */
function parentOf(pid: number): number {
  const [stat = ""] = linesOf(`/proc/${pid}/stat`);
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1] ?? 0);
}

/** Those that they are in, and those that are held open by a file or a mount. */
function networksOf(processes: readonly number[]): readonly string[] {
  const names = processes.flatMap((pid) => [
    linkOf(`/proc/${pid}/ns/net`),
    ...namesIn(`/proc/${pid}/fd`).map((fd) => linkOf(`/proc/${pid}/fd/${fd}`)),
    ...linesOf(`/proc/${pid}/mountinfo`).map((line) => /net:\[\d+\]/.exec(line)?.[0] ?? ""),
  ]);
  return [...new Set(names)].filter((name) => name.startsWith("net:["));
}

function commandOf(pid: number): readonly string[] {
  const [command = ""] = linesOf(`/proc/${pid}/cmdline`);
  return command === "" ? [] : [command.replaceAll("\0", " ")];
}

function loopDevicesOf(folder: string): readonly string[] {
  const listed = execFileSync("losetup", ["--noheadings", "--output", "NAME,BACK-FILE"], { encoding: "utf8" });
  return listed.split("\n").filter((line) => line.includes(folder));
}

function hierarchies(cgroup: string): readonly string[] {
  return ["", ...namesIn(CGROUPS)].map((name) => join(CGROUPS, name, cgroup));
}

function cgroupsOf(cgroup: string): readonly string[] {
  return hierarchies(cgroup).flatMap((folder) => foldersIn(folder).map((name) => join(folder, name)));
}

function processesIn(cgroup: string): readonly number[] {
  return pids().filter((pid) => linesOf(`/proc/${pid}/cgroup`).some((line) => line.includes(`${cgroup}/`)));
}

function filesBelow(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: "utf8" });
  } catch {
    return [];
  }
}

function foldersIn(folder: string): readonly string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  } catch {
    return [];
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}

/** None where it is gone by now. */
function linesOf(path: string): readonly string[] {
  try {
    return readFileSync(path, "utf8")
      .split("\n")
      .filter((line) => line !== "");
  } catch {
    return [];
  }
}
