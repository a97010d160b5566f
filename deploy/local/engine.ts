/**
 * A container engine of our own, where root may start one: dockerd with its own folders and socket, no bridge and no
 * firewall rules. Its mounts live in a separate mount namespace, so none is left when it is gone; what else it
 * leaves on the machine, `removeTraces` takes away.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Program } from "./program.ts";
import { findProgram } from "./search-path.ts";
import { until } from "./until.ts";

/** dockerd's default of 1048576 is above what many machines allow; a container that requests more does not start. */
const OPEN_FILES = 4096;
const ABANDONED_AFTER_MS = 60_000;
const CONTAINERS_END_TIMEOUT_MS = 10_000;
const CGROUPS = "/sys/fs/cgroup";
/**
 * Folders of the machine that dockerd 20.10 and containerd 1.6 write to whatever their options say. The engine sees an
 * empty folder in each place; that also keeps the machine's /etc/docker/daemon.json out.
 */
const PLACES_HIDDEN = ["/etc/docker", "/opt/containerd", "/run/docker", "/run/containerd"];
const RUN_FOLDER_PREFIX = "/run/elastic-engine-";
/**
 * Runs as `sh -c`: hides each place named before `--`, then becomes the command after it. With SUBIDS the engine sees that range.
 * Disks of builds that are mounted just now would stay in use for as long as the engine runs: in its view they are not mounted.
 */
const HIDE_THEN_RUN = `
while [ "$1" != -- ]; do mkdir -p "$1" && mount -t tmpfs -o mode=0700 tmpfs "$1" || exit 1; shift; done
shift
while read -r device at rest; do
  case "$device $at" in "/dev/loop"*"/disks/mounted/"*) umount --lazy "$at" || true ;; esac
done < /proc/self/mounts
if [ -n "\${SUBIDS:-}" ]; then
  echo "$SUBIDS" > /opt/containerd/subids || exit 1
  for file in /etc/subuid /etc/subgid; do mount --bind /opt/containerd/subids "$file" || exit 1; done
fi
exec "$@"`;
/** Whose range the engine gives its containers. */
const REMAPPED = { user: "nobody", group: "nogroup", firstId: 1_879_048_192, ids: 65_536 };

/** What an engine has of this machine in addition to its data. */
export interface EngineTraces {
  /** Socket, pid and state. Short, because a socket's path is limited to 107 bytes. */
  readonly runFolder: string;
  /** Parent of the cgroups of its containers. */
  readonly cgroup: string;
}

export interface EnginePlace extends EngineTraces {
  /** Images and containers. */
  readonly dataFolder: string;
  readonly socket: string;
  readonly logFile: string;
}

/** The place of the engine whose images are in `dataFolder`; always the same for the same folder. */
export function enginePlace(dataFolder: string, logFile: string): EnginePlace {
  const tag = createHash("sha256").update(dataFolder).digest("hex").slice(0, 8);
  const traces = tracesOf(tag);
  return { dataFolder, ...traces, socket: join(traces.runFolder, "docker.sock"), logFile };
}

function tracesOf(tag: string): EngineTraces {
  return { runFolder: `${RUN_FOLDER_PREFIX}${tag}`, cgroup: `elastic-${tag}` };
}

/** Why no engine can be started here, or null when one can. */
export function whyNoEngine(path: string): string | null {
  if (process.getuid?.() !== 0) return "starting a container engine takes root";
  const missing = ["dockerd", "containerd", "unshare"].filter((name) => findProgram(name, path) === null);
  return missing.length === 0 ? null : `no ${missing.join(", no ")} on this machine: run deploy/setup.sh`;
}

export interface EngineOptions {
  /** Whether containers get a user namespace; their root must be able to pass through the folders above the data. */
  readonly userNamespaces?: boolean;
}

/** Makes its folders and says how to start it. */
export function engineProgram(
  place: EnginePlace,
  path: string,
  { userNamespaces = false }: EngineOptions = {},
): Program {
  const { user, group, firstId, ids } = REMAPPED;
  mkdirSync(place.dataFolder, { recursive: true });
  mkdirSync(place.runFolder, { recursive: true, mode: 0o700 });
  return {
    name: "engine",
    command: "unshare",
    args: [
      "--mount",
      "--",
      ...["sh", "-c", HIDE_THEN_RUN, "sh", ...PLACES_HIDDEN, "--"],
      "dockerd",
      "--bridge=none",
      "--iptables=false",
      "--ip6tables=false",
      "--ip-forward=false",
      "--ip-masq=false",
      `--default-ulimit=nofile=${OPEN_FILES}:${OPEN_FILES}`,
      `--data-root=${join(place.dataFolder, "data")}`,
      `--exec-root=${join(place.runFolder, "exec")}`,
      `--pidfile=${join(place.runFolder, "pid")}`,
      `--host=unix://${place.socket}`,
      `--cgroup-parent=/${place.cgroup}`,
      "--shutdown-timeout=5",
      ...(userNamespaces ? [`--userns-remap=${user}:${group}`] : []),
    ],
    env: { PATH: path, ...(userNamespaces && { SUBIDS: `${user}:${firstId}:${ids}` }) },
    logFile: place.logFile,
  };
}

/** After the engine has ended, however it did: ends its containers' processes and removes what is outside its data. */
export async function removeTraces(place: EngineTraces): Promise<void> {
  await until(
    "the engine's containers end",
    () => {
      const left = [...shims(place), ...containerProcesses(place)];
      for (const pid of left) killIfThere(pid);
      return left.length === 0 || undefined;
    },
    { timeoutMs: CONTAINERS_END_TIMEOUT_MS },
  );
  rmSync(place.runFolder, { recursive: true, force: true });
  // Named by the engine, where its containers have user namespaces.
  rmSync(`${place.runFolder}.${REMAPPED.firstId}.${REMAPPED.firstId}`, { recursive: true, force: true });
  for (const folder of cgroupFolders(place)) removeCgroup(folder);
  // Another engine of ours may have its own folders mounted there.
  if (!readdirSync("/run").some((name) => join("/run", name).startsWith(RUN_FOLDER_PREFIX))) {
    for (const folder of PLACES_HIDDEN) removeIfEmpty(folder);
  }
}

/** Engines of ours that were killed with whoever started them have left their containers running: ends those. */
export async function removeAbandonedEngines(): Promise<void> {
  for (const name of readdirSync("/run")) {
    const runFolder = join("/run", name);
    // What an engine with user namespaces names after its folder goes with that.
    if (!/^elastic-engine-[0-9a-f]+$/.test(name) || isRunning(runFolder)) continue;
    // One that is just being started has its folder before it has its process.
    const ageMs = Date.now() - (statSync(runFolder, { throwIfNoEntry: false })?.mtimeMs ?? 0);
    if (ageMs > ABANDONED_AFTER_MS) await removeTraces(tracesOf(runFolder.slice(RUN_FOLDER_PREFIX.length)));
  }
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // The machine's own, or gone already.
  }
}

/** containerd's shims outlive it by design; theirs is the address of its socket. */
function shims(place: EngineTraces): readonly number[] {
  return processes().filter((pid) => {
    const command = readOrEmpty(`/proc/${pid}/cmdline`);
    return command.includes("containerd-shim") && command.includes(place.runFolder);
  });
}

function containerProcesses(place: EngineTraces): readonly number[] {
  return processes().filter((pid) => readOrEmpty(`/proc/${pid}/cgroup`).includes(`/${place.cgroup}/`));
}

/** But for those that have ended and whose parent has not waited for them: they have no command line any more. */
function processes(): readonly number[] {
  const pids = readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
  return pids.filter((pid) => readOrEmpty(`/proc/${pid}/cmdline`) !== "");
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // Ended meanwhile.
  }
}

/** Whether the engine itself runs; from its very start its command line names its folder. */
function isRunning(runFolder: string): boolean {
  return processes().some((pid) => {
    const command = readOrEmpty(`/proc/${pid}/cmdline`);
    return command.includes("dockerd") && command.includes(runFolder);
  });
}

/** The engine's cgroup in each hierarchy of version 1, or the one of version 2. */
function cgroupFolders(place: EngineTraces): readonly string[] {
  if (!existsSync(CGROUPS)) return [];
  const hierarchies = ["", ...readdirSync(CGROUPS)];
  return hierarchies.map((name) => join(CGROUPS, name, place.cgroup)).filter((folder) => existsSync(folder));
}

/** A cgroup's files cannot be removed, only its folders, from the inside out and once its processes are gone. */
function removeCgroup(folder: string): void {
  try {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.isDirectory()) removeCgroup(join(folder, entry.name));
    }
    rmdirSync(folder);
  } catch {
    // A process is still ending in it; an empty cgroup costs nothing and the next engine uses it again.
  }
}
