/**
 * The sandbox around native code: which command starts a kernel host so that it sees nothing but its files.
 *
 * `bubblewrap`: its own namespaces (processes, network without any interface but loopback, IPC, host name,
 * mounts with only what it needs, read-only), an empty environment, user 65534, no capability, no new
 * privileges, and it dies with the agent. `user`: where bubblewrap does not work, another user and no new
 * privileges only. `none`: the agent is an ordinary user itself and has no bubblewrap either.
 */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import type { SandboxRoot } from "./sandbox-root.ts";

export type SandboxKind = "bubblewrap" | "user" | "none";

const SANDBOX_UID = 65534;
const SANDBOX_GID = 65534;

export interface HostCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** A file the host may read in addition to its own, such as set-up parameters. */
export interface ExtraFile {
  readonly variable: string;
  readonly path: string;
}

/** The GPUs that a host may use, and their device files: of all others it sees nothing. */
export interface HostGpus {
  readonly uuids: readonly string[];
  readonly devices: readonly string[];
}

const NO_GPUS: HostGpus = { uuids: [], devices: [] };
const PROBE_TIMEOUT_MS = 10_000;
const PROBES_MAX = 5;
const PROBE_AGAIN_MS = 200;
const IN_SANDBOX = "/app";

const NO_PRIVILEGES = ["--no-new-privs", "--bounding-set=-all", "--inh-caps=-all"];
const OTHER_USER = [`--reuid=${SANDBOX_UID}`, `--regid=${SANDBOX_GID}`, "--clear-groups"];

/**
 * Why a sandbox of this kind cannot be created on this machine; null if it can. Tried more than once: what other
 * programs mount and unmount meanwhile can fail a try, and a weaker sandbox would then stand for as long as the agent.
 */
export async function whyNoSandbox(kind: SandboxKind, root: SandboxRoot, isRoot: boolean): Promise<string | null> {
  const { file, args } = nodeCommand(kind, root, isRoot, [], ["--version"]);
  let why = "";
  for (let tries = 0; tries < PROBES_MAX; tries++) {
    if (tries > 0) await setTimeout(PROBE_AGAIN_MS);
    try {
      await promisify(execFile)(file, args, { timeout: PROBE_TIMEOUT_MS, env: {} });
      return null;
    } catch (error) {
      why = error instanceof Error ? error.message : String(error);
      if ((error as { readonly code?: unknown }).code === "ENOENT") return why;
    }
  }
  return why;
}

/** The command of a kernel host, or of another script of its folder. `args` follow the library. */
export function hostCommand(options: {
  readonly kind: SandboxKind;
  readonly script: "host.ts" | "list-provers.ts" | "zkaccel/child.ts";
  readonly root: SandboxRoot;
  readonly isRoot: boolean;
  readonly args: readonly string[];
  readonly extraFiles: readonly ExtraFile[];
  readonly gpus?: HostGpus;
  readonly openFilesMax: number;
}): HostCommand {
  const { kind, script, root, isRoot, extraFiles, gpus = NO_GPUS, openFilesMax } = options;
  const inside = (path: string): string => (kind === "bubblewrap" ? path.replace(root.folder, IN_SANDBOX) : path);
  const nodeArgs = [inside(join(root.kernels, script)), inside(root.libraryFile), ...options.args];
  const { file, args } = nodeCommand(kind, root, isRoot, extraFiles, nodeArgs, gpus.devices);
  const visible = gpus.uuids.length === 0 ? {} : { CUDA_VISIBLE_DEVICES: gpus.uuids.join(",") };
  const env = { ...visible, ...Object.fromEntries(extraFiles.map((extra) => [extra.variable, extra.path])) };
  return {
    file: "prlimit",
    args: ["--core=0:0", `--nofile=${openFilesMax}`, file, ...args],
    env,
  };
}

function nodeCommand(
  kind: SandboxKind,
  root: SandboxRoot,
  isRoot: boolean,
  extraFiles: readonly ExtraFile[],
  nodeArgs: readonly string[],
  devices: readonly string[] = [],
): { readonly file: string; readonly args: readonly string[] } {
  const user = isRoot ? OTHER_USER : [];
  if (kind === "none") return { file: root.nodeFile, args: nodeArgs };
  if (kind === "user") {
    const args = [...user, ...NO_PRIVILEGES, "--pdeathsig", "KILL", root.nodeFile, ...nodeArgs];
    return { file: "setpriv", args };
  }
  const drop = isRoot ? ["/bin/setpriv", ...user, ...NO_PRIVILEGES] : ["/bin/setpriv", "--no-new-privs"];
  return {
    file: "bwrap",
    args: [...namespaces(root, isRoot, extraFiles, devices), ...drop, "/bin/node", ...nodeArgs],
  };
}

function namespaces(
  root: SandboxRoot,
  isRoot: boolean,
  extraFiles: readonly ExtraFile[],
  devices: readonly string[],
): readonly string[] {
  const asUser = isRoot ? [] : ["--unshare-user", "--uid", `${SANDBOX_UID}`, "--gid", `${SANDBOX_GID}`];
  // Folders that bubblewrap makes on the way to a mount are closed to others by default.
  const folder = (path: string): readonly string[] => ["--perms", "0755", "--dir", path];
  return [
    ...asUser,
    ...["--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--hostname", "prover"],
    ...["--die-with-parent", "--new-session"],
    ...folder("/bin"),
    ...folder("/etc"),
    ...["--ro-bind-try", "/lib", "/lib", "--ro-bind-try", "/lib64", "/lib64", "--ro-bind-try", "/usr/lib", "/usr/lib"],
    ...["--ro-bind-try", "/usr/lib64", "/usr/lib64", "--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache"],
    ...["--ro-bind", "/usr/bin/setpriv", "/bin/setpriv", "--ro-bind", root.nodeFile, "/bin/node"],
    ...["--ro-bind", root.folder, IN_SANDBOX, "--proc", "/proc", "--dev", "/dev"],
    ...devices.flatMap((path) => ["--dev-bind", path, path]),
    ...["--perms", "1777", "--size", `${64 * 1024 * 1024}`, "--tmpfs", "/tmp"],
    ...extraFiles.flatMap(({ path }) => ["--ro-bind", path, path]),
    ...["--remount-ro", "/", "--chdir", "/"],
  ];
}
