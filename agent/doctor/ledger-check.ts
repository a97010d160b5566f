/** Whether the agent can append to its ledger of executions: it does not start where it cannot. Creates nothing. */
import { constants } from "node:fs";
import { access, readFile, realpath, stat, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { type Check, fail, ok, warn } from "@elastic/std/check.ts";
import { LEDGER_BYTES_MAX } from "../executions/execution-ledger.ts";
import { fileSystemOf } from "./file-system-of.ts";

const MIB = 1024 ** 2;
/** They are in memory: a restart of the machine empties them. */
const LOST_AT_RESTART: readonly string[] = ["tmpfs", "ramfs"];

export async function checkLedger(file: string | null): Promise<Check> {
  if (file === null) return ok("ledger", "off: ELASTIC_EXECUTION_LEDGER is not set");
  const folder = dirname(file);
  const why = await whyNotAppended(file, folder);
  if (why !== null) {
    return fail(
      "ledger",
      why,
      "set ELASTIC_EXECUTION_LEDGER to a file in a folder that the agent may write, such as its state directory",
    );
  }
  const { bavail, bsize } = await statfs(folder);
  const type = fileSystemOf(await realpath(folder), await readFile("/proc/self/mountinfo", "utf8")) ?? "unknown";
  const free = bavail * bsize;
  const finding = `${file}, on ${type} with ${Math.floor(free / MIB)} MiB free`;
  if (LOST_AT_RESTART.includes(type)) {
    return warn("ledger", finding, "name a file on a disk: this one is lost when the machine restarts");
  }
  if (free < LEDGER_BYTES_MAX) {
    const room = `it takes up to ${LEDGER_BYTES_MAX / MIB} MiB`;
    return warn(
      "ledger",
      finding,
      `free some space: ${room}, and executions are missing from it once the disk is full`,
    );
  }
  return ok("ledger", finding);
}

async function whyNotAppended(file: string, folder: string): Promise<string | null> {
  try {
    const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return null;
      throw error;
    });
    if (found !== null && !found.isFile()) return `${file} is no file`;
    // Beyond its size the file is renamed, which the folder must permit too.
    await access(folder, constants.W_OK | constants.X_OK);
    if (found !== null) await access(file, constants.W_OK);
    return null;
  } catch (error) {
    return `${file} cannot be appended to: ${(error as Error).message}`;
  }
}
