/** Whether this machine can build images, and if not, why: sandboxes take root, user namespaces and a few programs. */
import { existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { PROGRAM_FOLDERS } from "../workloads/shell/can-have-shells.ts";

const SYSTEM_PROGRAMS = ["runc", "losetup", "mount", "umount", "mkfs.ext4", "socat", "nsenter", "setpriv"];
const BUILDKIT_PROGRAMS = ["buildkitd", "buildctl"];
/** Next to this program: of a package, and of deploy/setup.sh. */
const OWN_FOLDERS = ["../../bin", "../../.cache/bin"].map((path) => fileURLToPath(new URL(path, import.meta.url)));
const LOOP_CONTROL = "/dev/loop-control";
const USER_NAMESPACES_MAX = "/proc/sys/user/max_user_namespaces";

export interface BuildMachine {
  readonly uid: number | undefined;
  /** Where programs are looked for, as `PATH` has it. */
  readonly path: string;
  readonly exists: (path: string) => boolean;
  readonly read: (path: string) => string;
}

export function thisMachine(path: string): BuildMachine {
  return { uid: process.getuid?.(), path, exists: existsSync, read: (file) => readFileSync(file, "utf8") };
}

/** The folder of BuildKit's programs, or why nothing can be built here. */
export function findBuilder({
  uid,
  path,
  exists,
  read,
}: BuildMachine): { readonly programs: string } | { readonly whyNot: string } {
  const cannot = (why: string) => ({ whyNot: `this node cannot build images: ${why}` });
  if (uid !== 0) return cannot("its agent does not run as root");
  const missing = SYSTEM_PROGRAMS.filter((name) => !PROGRAM_FOLDERS.some((folder) => exists(join(folder, name))));
  if (missing.length > 0)
    return cannot(`${missing.join(", ")} not found; install runc, util-linux, e2fsprogs and socat`);
  if (!exists(LOOP_CONTROL)) return cannot("it has no loop devices; load the kernel's module loop");
  if (exists(USER_NAMESPACES_MAX) && Number(read(USER_NAMESPACES_MAX)) === 0) {
    return cannot("its kernel allows no user namespaces; set user.max_user_namespaces");
  }
  const named = path.split(delimiter).filter((folder) => folder.startsWith("/"));
  const folders = [...named, ...PROGRAM_FOLDERS, ...OWN_FOLDERS];
  const programs = folders.find((folder) => BUILDKIT_PROGRAMS.every((name) => exists(join(folder, name))));
  return programs === undefined
    ? cannot(
        `there is no buildkitd and buildctl on its PATH or in ${OWN_FOLDERS.join(", ")}; run deploy/setup.sh builder`,
      )
    : { programs };
}
