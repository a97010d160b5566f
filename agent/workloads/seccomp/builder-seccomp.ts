/**
 * The profile of containers for the sandbox of a build, as runc reads it (OCI runtime specification 1.0.2, linux.seccomp).
 * BuildKit makes containers in it, so it may also make namespaces and mounts: in its own user namespace only. Pure.
 */
import type { SeccompProfile, SeccompRule } from "./seccomp-profile.ts";

/** What runc calls to make a container. */
const CONTAINER_CALLS = [
  ...["chroot", "clone", "clone3", "fsconfig", "fsmount", "fsopen", "fspick", "mount", "mount_setattr", "move_mount"],
  ...["open_tree", "pivot_root", "setdomainname", "sethostname", "setns", "umount", "umount2", "unshare"],
];
/** runc continues without a keyring where the kernel has none. */
const KEYRING_CALLS = ["add_key", "keyctl", "request_key"];
const ENOSYS = 38;
const ARCHITECTURE = "SCMP_ARCH_X86_64";

export function builderSeccomp({ defaultAction, defaultErrnoRet, syscalls }: SeccompProfile): object {
  const rules = syscalls.filter(holdsHere).map(({ names, action, errnoRet, args }) => ({
    names: names.filter((name) => !CONTAINER_CALLS.includes(name)),
    action,
    ...(errnoRet === undefined ? {} : { errnoRet }),
    ...(args === undefined ? {} : { args }),
  }));
  return {
    defaultAction,
    defaultErrnoRet,
    architectures: [ARCHITECTURE],
    syscalls: [
      ...rules.filter(({ names }) => names.length > 0),
      { names: CONTAINER_CALLS, action: "SCMP_ACT_ALLOW" },
      { names: KEYRING_CALLS, action: "SCMP_ACT_ERRNO", errnoRet: ENOSYS },
    ],
  };
}

function holdsHere({ includes, excludes }: SeccompRule): boolean {
  const isIncluded = includes?.arches === undefined || includes.arches.includes("amd64");
  return isIncluded && !excludes?.arches?.includes("amd64");
}
