/** Checks of the machine itself: Node, tools, limits, disk. */
import { accessSync, constants } from "node:fs";
import { mkdir, statfs } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { type Check, fail, ok, warn } from "@elastic/std/check.ts";
import { readHostLimits } from "../workloads/docker/host-limits.ts";

/** Node runs the agent's TypeScript as it stands from here on. */
const NODE_VERSION_MIN = [22, 18] as const;
const OPEN_FILES_MIN = 4096;
const GIB = 1024 ** 3;
const FREE_BYTES_MIN = 2 * GIB;
/** With less there is no room for the result of one task. */
const ROOM_BYTES_MIN = GIB / 4;

const TOOLS: readonly { readonly name: string; readonly for: string; readonly from: string }[] = [
  { name: "nsenter", for: "containers", from: "util-linux" },
  { name: "socat", for: "containers", from: "socat" },
  { name: "setpriv", for: "containers and builtin provers", from: "util-linux" },
  { name: "prlimit", for: "builtin provers", from: "util-linux" },
  { name: "bwrap", for: "the sandbox of builtin provers", from: "bubblewrap" },
];

export function checkNode(version: string): Check {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [majorMin, minorMin] = NODE_VERSION_MIN;
  const enough = major > majorMin || (major === majorMin && minor >= minorMin);
  if (enough) return ok("node", version);
  return fail("node", version, `run the agent with Node ${majorMin}.${minorMin} or newer`);
}

export function checkTools(path: string): readonly Check[] {
  return TOOLS.map((tool) =>
    isOnPath(tool.name, path)
      ? ok(tool.name, "found")
      : warn(tool.name, `not found; needed for ${tool.for}`, `install the package ${tool.from}`),
  );
}

export function isOnPath(name: string, path: string): boolean {
  return path.split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

export function checkUser(uid: number): Check {
  if (uid === 0) return ok("user", "root");
  return warn(
    "user",
    `uid ${uid}`,
    "run as root: entering a container's network takes it, and so does another user for builtin provers",
  );
}

export function checkLimits(): Check {
  const { openFilesMax, processesMax } = readHostLimits();
  const finding = `${openFilesMax} open files, ${processesMax} processes`;
  if (openFilesMax >= OPEN_FILES_MIN) return ok("limits", finding);
  return warn(
    "limits",
    finding,
    `raise the hard limit of open files to ${OPEN_FILES_MIN} (LimitNOFILE= of the systemd unit)`,
  );
}

export async function checkDisk(stateDir: string): Promise<Check> {
  try {
    await mkdir(stateDir, { recursive: true, mode: 0o700 });
    const { bavail, bsize } = await statfs(stateDir);
    const free = bavail * bsize;
    const finding = `${(free / GIB).toFixed(1)} GiB free in ${stateDir}`;
    if (free >= FREE_BYTES_MIN) return ok("disk", finding);
    if (free < ROOM_BYTES_MIN) return fail("disk", finding, "make room: tasks fail here with node_disk_full");
    return warn("disk", finding, "free some space: results that wait for a coordinator are stored there");
  } catch (error) {
    return fail(
      "disk",
      `${stateDir}: ${(error as Error).message}`,
      "give the agent a state directory it may write (ELASTIC_STATE_DIR)",
    );
  }
}
