/**
 * The disks of shells on this node: files of a fixed size with a file system in them, so that no user fills the
 * machine. A home is made once and stays until it is erased; a scratch is recreated for each start. A disk is given
 * to the engine as a loop device, which mounts it for the container alone: nothing is mounted here.
 */
import { execFile } from "node:child_process";
import { mkdir, rename, rm, stat, statfs } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { isId } from "@elastic/std/ids.ts";
import { StartFailure } from "../../domain/start-failure.ts";
import { PROGRAM_FOLDERS } from "./can-have-shells.ts";

export interface ShellDisks {
  /** Makes what is not there. Returns the loop devices. */
  attach(shellId: string, wanted: WantedDisks): Promise<AttachedDisks>;
  /** Lets go of the devices; one that is still mounted goes when it is not. */
  detach(shellId: string): Promise<void>;
  /** Removes everything of the shell. */
  erase(shellId: string): Promise<void>;
}

interface WantedDisks {
  readonly homeBytes: number;
  readonly scratchBytes: number;
  /** What root in the shell's container is on this machine; 0 where that has no user namespace. */
  readonly rootId: number;
}

export interface AttachedDisks {
  readonly home: string;
  readonly scratch: string;
}

/** In its container, the owner of all that a shell writes; as of provers. */
const OWNER_ID = 65_534;
const HOME = "home.ext4";
const SCRATCH = "scratch.ext4";
const PROGRAM_TIMEOUT_MS = 60_000;
/** Left to everything else on that disk of the machine. */
const RESERVE_BYTES = 1024 ** 3;

/** What they say is read, so they say it in English. */
const ENVIRONMENT = { PATH: PROGRAM_FOLDERS.join(delimiter), LC_ALL: "C" };

const run = promisify(execFile);

export function openShellDisks(folder: string): ShellDisks {
  const folderOf = (shellId: string): string => {
    // It becomes a path.
    if (!isId(shellId)) throw new StartFailure("internal", "invalid shell id");
    return join(folder, shellId);
  };
  const detach = async (shellId: string): Promise<void> => {
    const own = folderOf(shellId);
    await Promise.all([HOME, SCRATCH].map((name) => detachFile(join(own, name))));
  };
  return {
    attach: async (shellId, { homeBytes, scratchBytes, rootId }) => {
      const own = folderOf(shellId);
      await mkdir(own, { recursive: true, mode: 0o700 });
      const [home, scratch] = [join(own, HOME), join(own, SCRATCH)];
      const ownerId = rootId + OWNER_ID;
      if (await exists(home)) await refuseOtherOwner(home, ownerId);
      else await makeDisk(home, homeBytes, ownerId);
      await detachFile(scratch);
      await makeDisk(scratch, scratchBytes, ownerId);
      return { home: await attachFile(home), scratch: await attachFile(scratch) };
    },
    detach: async (shellId) => {
      await detach(shellId);
      await rm(join(folderOf(shellId), SCRATCH), { force: true });
    },
    erase: async (shellId) => {
      await detach(shellId);
      await rm(folderOf(shellId), { recursive: true, force: true });
    },
  };
}

/** Under another name until it is complete: what a kill leaves half made is made again. Its room is taken at once. */
async function makeDisk(path: string, bytes: number, ownerId: number): Promise<void> {
  const unfinished = `${path}.new`;
  await rm(unfinished, { force: true });
  await refuseWithoutRoom(dirname(path), bytes);
  try {
    await program("fallocate", ["--length", `${bytes}`, unfinished]);
    const options = ["-q", "-F", "-m", "0", "-E", `nodiscard,root_owner=${ownerId}:${ownerId}`];
    await program("mkfs.ext4", [...options, unfinished]);
    // It is root's alone, so every copy of a home would stumble over it. fsck makes it again if it ever needs it.
    await program("debugfs", ["-w", "-R", "rmdir lost+found", unfinished]);
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** A home that was made while the engine mapped users otherwise would be nobody's to its user. */
async function refuseOtherOwner(home: string, ownerId: number): Promise<void> {
  const said = await program("debugfs", ["-R", "stat /", home]);
  const is = Number(/User:\s*(\d+)/.exec(said)?.[1]);
  if (is === ownerId) return;
  const message = `the shell's home belongs to user ${is} of the node, and containers there run as ${ownerId} now: the engine's userns-remap was changed`;
  throw new StartFailure("internal", message);
}

/** Before anything is taken: a request for more than there is would take all that there is until it fails. */
async function refuseWithoutRoom(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (free >= bytes + RESERVE_BYTES) return;
  throw new StartFailure("node_disk_full", `no room for the shell's disk: ${free} bytes are free, it has ${bytes}`);
}

async function attachFile(path: string): Promise<string> {
  // A kill of the agent leaves it attached, and a file that is attached twice is ruined.
  const [attached] = await devicesOf(path);
  return attached ?? (await program("losetup", ["--find", "--show", "--nooverlap", path])).trim();
}

async function detachFile(path: string): Promise<void> {
  for (const device of await devicesOf(path)) await program("losetup", ["--detach", device]);
}

async function devicesOf(path: string): Promise<readonly string[]> {
  if (!(await exists(path))) return [];
  const listed = await program("losetup", ["--noheadings", "--output", "NAME", "--associated", path]);
  return listed.split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.trim()]));
}

async function exists(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  );
}

async function program(name: string, args: readonly string[]): Promise<string> {
  try {
    return (await run(name, [...args], { timeout: PROGRAM_TIMEOUT_MS, env: ENVIRONMENT })).stdout;
  } catch (error) {
    const words = ((error as { readonly stderr?: string }).stderr || String(error)).trim();
    const reason = /no space left/i.test(words) ? "node_disk_full" : "internal";
    throw new StartFailure(reason, `the shell's disk could not be had: ${words}`, { cause: error });
  }
}
