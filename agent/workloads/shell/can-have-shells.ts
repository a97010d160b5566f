/** Whether this machine can have shells, and if not, why: their disks take root, loop devices and four programs. */
import { existsSync } from "node:fs";
import { join } from "node:path";

/** Where distributions have them, whatever the agent's own search path is. */
export const PROGRAM_FOLDERS = ["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"];
const PROGRAMS = ["losetup", "fallocate", "mkfs.ext4", "debugfs"];
const LOOP_CONTROL = "/dev/loop-control";

/** Null when it can. */
export function whyNoShells(
  uid: number | undefined = process.getuid?.(),
  exists: (path: string) => boolean = existsSync,
): string | null {
  const cannot = (why: string) => `this node cannot have shells: ${why}`;
  if (uid !== 0) return cannot("its agent does not run as root");
  const missing = PROGRAMS.filter((name) => !PROGRAM_FOLDERS.some((folder) => exists(join(folder, name))));
  if (missing.length > 0) return cannot(`${missing.join(", ")} not found; install util-linux and e2fsprogs`);
  return exists(LOOP_CONTROL) ? null : cannot("it has no loop devices; load the kernel's module loop");
}
