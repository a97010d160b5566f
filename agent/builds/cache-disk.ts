/**
 * The disk of a team's builds on this node: a file of fixed size with a file system in it, mounted while a build runs.
 * It holds the layers that later builds begin from and what the current build reads and writes, so no build fills the
 * machine. The file is sparse: it takes what was written to it.
 */
import { existsSync } from "node:fs";
import {
  chmod,
  chown,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  statfs,
  truncate,
  utimes,
  writeFile,
} from "node:fs/promises";
import { basename, join } from "node:path";
import { isId } from "@elastic/std/ids.ts";
import { BuildFailure } from "../domain/build-failure.ts";
import type { EvictableStore } from "../domain/evictable.ts";
import { runProgram } from "./sandbox/run-program.ts";
import { firstIdOf } from "./sandbox/uid-range.ts";

export interface CacheDisksOptions {
  readonly folder: string;
  /** Of one team's disk. */
  readonly diskBytes: number;
  /** Of all that the disks take together; the one that was used longest ago goes first. */
  readonly totalBytes: number;
}

export interface MountedDisk {
  /** Where it is mounted. */
  readonly path: string;
  /** Owned by the team's first user: BuildKit's state. */
  readonly state: string;
  isFull(): Promise<boolean>;
  unmount(): Promise<void>;
}

export interface CacheDisks extends EvictableStore {
  mount(teamId: string): Promise<MountedDisk>;
  /** Of a team whose disk is not mounted. */
  erase(teamId: string): Promise<void>;
}

const SUFFIX = ".ext4";
/** Below it nothing can be built on what is left. */
const FREE_BYTES_MIN = 64 * 1024 * 1024;
/** Left to everything else on that disk of the machine. */
const RESERVE_BYTES = 1024 ** 3;
const BYTES_PER_INODE = 8_192;

/** Unmounts what an agent left that was killed. */
export async function openCacheDisks({ folder, diskBytes, totalBytes }: CacheDisksOptions): Promise<CacheDisks> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const places = join(folder, "mounted");
  await mkdir(places, { recursive: true, mode: 0o700 });
  for (const path of await mountsBelow(places)) await runProgram("umount", ["--lazy", path]);
  const mounted = new Set<string>();
  /** No disk is mounted while one is evicted. */
  let evicting: Promise<void> = Promise.resolve();
  const evict = async (file: string): Promise<void> => {
    await evicting;
    if (mounted.has(file)) throw new Error("a build uses it");
    const removed = rm(file, { force: true });
    evicting = removed.catch(() => undefined);
    await removed;
  };
  const fileOf = (teamId: string): string => {
    // It becomes a path.
    if (!isId(teamId)) throw new Error("not the id of a team");
    return join(folder, `${teamId}${SUFFIX}`);
  };
  return {
    mount: async (teamId) => {
      const file = fileOf(teamId);
      const path = join(places, teamId);
      mounted.add(file);
      await evicting;
      try {
        await makeRoom(folder, mounted, totalBytes);
        if (!existsSync(file)) await makeDisk(file, diskBytes);
        await mkdir(path, { recursive: true, mode: 0o700 });
        await runProgram("mount", ["-o", "loop,nosuid,nodev", file, path]);
        const now = new Date();
        await utimes(file, now, now);
        return await opened(path, teamId, () => mounted.delete(file));
      } catch (error) {
        mounted.delete(file);
        throw error;
      }
    },
    erase: async (teamId) => rm(fileOf(teamId), { force: true }),
    folder: () => folder,
    evictable: async () => {
      const free = (await disksIn(folder)).filter(({ file }) => !mounted.has(file));
      return free.map(({ file, mtimeMs }) => ({
        name: `layers of the builds of team ${basename(file, SUFFIX)}`,
        usedAtMs: mtimeMs,
        evict: () => evict(file),
      }));
    },
  };
}

async function opened(path: string, teamId: string, onGone: () => void): Promise<MountedDisk> {
  const owner = firstIdOf(teamId);
  const state = join(path, "buildkit");
  await mkdir(state, { recursive: true, mode: 0o700 });
  await chown(state, owner, owner);
  // Only the sandbox's own folder is the sandbox's.
  await chmod(path, 0o711);
  return {
    path,
    state,
    isFull: async () => {
      const { bavail, bsize, ffree } = await statfs(path);
      return bavail * bsize < FREE_BYTES_MIN || ffree < 64;
    },
    unmount: async () => {
      await runProgram("umount", ["--lazy", path]);
      onGone();
    },
  };
}

/** Under another name until it is complete: what a kill leaves half made is made again. */
async function makeDisk(file: string, bytes: number): Promise<void> {
  const unfinished = `${file}.new`;
  await rm(unfinished, { force: true });
  await writeFile(unfinished, "", { mode: 0o600 });
  await truncate(unfinished, bytes);
  await runProgram("mkfs.ext4", [
    "-q",
    "-F",
    "-m",
    "0",
    "-i",
    `${BYTES_PER_INODE}`,
    "-E",
    "lazy_itable_init=1,lazy_journal_init=1",
    unfinished,
  ]);
  await rename(unfinished, file);
}

interface Disk {
  readonly file: string;
  readonly bytes: number;
  /** When it was last mounted. */
  readonly mtimeMs: number;
}

async function disksIn(folder: string): Promise<Disk[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(SUFFIX));
  return await Promise.all(
    names.map(async (name) => {
      const file = join(folder, name);
      const { blocks, mtimeMs } = await stat(file);
      return { file, bytes: blocks * 512, mtimeMs };
    }),
  );
}

async function makeRoom(folder: string, mounted: ReadonlySet<string>, totalBytes: number): Promise<void> {
  const disks = await disksIn(folder);
  disks.sort((left, right) => left.mtimeMs - right.mtimeMs);
  let taken = disks.reduce((sum, { bytes }) => sum + bytes, 0);
  for (const { file, bytes } of disks) {
    if (taken <= totalBytes && (await freeBytes(folder)) > RESERVE_BYTES) return;
    if (mounted.has(file)) continue;
    await rm(file, { force: true });
    taken -= bytes;
  }
  const free = await freeBytes(folder);
  if (free < RESERVE_BYTES)
    throw new BuildFailure("disk_full", `this machine has ${free} bytes left on the disk of its builds`);
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

async function mountsBelow(places: string): Promise<readonly string[]> {
  const mounts = (await readFile("/proc/self/mounts", "utf8")).split("\n").map((line) => line.split(" ")[1] ?? "");
  return mounts.filter((path) => path.startsWith(`${places}/`) && isId(basename(path)));
}
