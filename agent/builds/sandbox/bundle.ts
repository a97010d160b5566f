/**
 * The sandbox of a build as runc reads it (OCI runtime specification 1.0.2, config.json): what it sees, who it is and
 * what it may use. BuildKit makes containers within it, so it is root in a user namespace and may mount; of the
 * machine it has programs to read, the team's disk, the source, and a network without any way out. Pure.
 */
import { builderSeccomp } from "../../workloads/seccomp/builder-seccomp.ts";
import { SECCOMP_PROFILE } from "../../workloads/seccomp/seccomp-profile.ts";
import { SANDBOX } from "../buildkit/buildkit-config.ts";
import { IDS_PER_TEAM } from "./uid-range.ts";

export interface SandboxPlace {
  readonly firstId: number;
  /** Folder with buildkitd and buildctl. */
  readonly programs: string;
  readonly state: string;
  readonly source: string;
  readonly file: string;
  readonly out: string;
  /** Absolute, in each hierarchy. */
  readonly cgroup: string;
  readonly memoryBytes: number;
  readonly pids: number;
  readonly logBytes: number;
}

/** What BuildKit's containers are given of, and what it takes to make them; all within the user namespace. */
const CAPABILITIES = [
  ...["CAP_AUDIT_WRITE", "CAP_CHOWN", "CAP_DAC_OVERRIDE", "CAP_FOWNER", "CAP_FSETID", "CAP_KILL", "CAP_MKNOD"],
  ...[
    "CAP_NET_BIND_SERVICE",
    "CAP_NET_RAW",
    "CAP_SETFCAP",
    "CAP_SETGID",
    "CAP_SETPCAP",
    "CAP_SETUID",
    "CAP_SYS_CHROOT",
  ],
  ...["CAP_DAC_READ_SEARCH", "CAP_NET_ADMIN", "CAP_SYS_ADMIN"],
];
/** Of the machine, to read: the programs that runc and buildkitd start. */
const SYSTEM_FOLDERS = ["/usr", "/lib", "/lib64", "/bin", "/sbin"];
const OPEN_FILES_MAX = 16_384;
const SCRATCH = "256m";

export function sandboxBundle(place: SandboxPlace, exists: (path: string) => boolean): object {
  const { firstId, memoryBytes, pids, cgroup, logBytes } = place;
  const ids = [{ containerID: 0, hostID: firstId, size: IDS_PER_TEAM }];
  return {
    ociVersion: "1.0.2",
    hostname: "build",
    root: { path: "rootfs" },
    process: {
      user: { uid: 0, gid: 0 },
      args: [`${SANDBOX.programs}/buildkitd`, `--config=${SANDBOX.config}`],
      env: sandboxEnv(logBytes),
      cwd: "/",
      capabilities: { bounding: CAPABILITIES, effective: CAPABILITIES, permitted: CAPABILITIES, inheritable: [] },
      noNewPrivileges: true,
      oomScoreAdj: 500,
      rlimits: [
        { type: "RLIMIT_NOFILE", soft: OPEN_FILES_MAX, hard: OPEN_FILES_MAX },
        { type: "RLIMIT_CORE", soft: 0, hard: 0 },
      ],
    },
    mounts: [
      ...kernelMounts(),
      ...SYSTEM_FOLDERS.filter(exists).map((path) => readOnly(path, path)),
      ...ownMounts(place),
    ],
    linux: {
      uidMappings: ids,
      gidMappings: ids,
      namespaces: ["pid", "ipc", "uts", "mount", "user", "network"].map((type) => ({ type })),
      cgroupsPath: cgroup,
      seccomp: builderSeccomp(SECCOMP_PROFILE),
      resources: {
        // No swap, on either version of control groups.
        memory: { limit: memoryBytes, swap: memoryBytes },
        pids: { limit: pids },
      },
    },
  };
}

function sandboxEnv(logBytes: number): readonly string[] {
  return [
    `PATH=${SANDBOX.programs}:/usr/sbin:/usr/bin:/sbin:/bin`,
    "HOME=/root",
    "XDG_RUNTIME_DIR=/run",
    "SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt",
    ...["HTTP_PROXY", "HTTPS_PROXY"].map((name) => `${name}=http://127.0.0.1:3128`),
    // The agent ends a build that writes more. Until it has read that far, BuildKit holds at most that much in memory.
    `BUILDKIT_STEP_LOG_MAX_SIZE=${logBytes}`,
    "BUILDKIT_STEP_LOG_MAX_SPEED=-1",
  ];
}

type Mount = {
  readonly destination: string;
  readonly type: string;
  readonly source: string;
  readonly options: readonly string[];
};

function kernelMounts(): readonly Mount[] {
  const hardened = ["nosuid", "noexec", "nodev"];
  return [
    { destination: "/proc", type: "proc", source: "proc", options: hardened },
    {
      destination: "/dev",
      type: "tmpfs",
      source: "tmpfs",
      options: ["nosuid", "strictatime", "mode=755", "size=65536k"],
    },
    {
      destination: "/dev/pts",
      type: "devpts",
      source: "devpts",
      options: ["nosuid", "noexec", "newinstance", "ptmxmode=0666", "mode=0620", "gid=5"],
    },
    { destination: "/dev/shm", type: "tmpfs", source: "shm", options: [...hardened, "mode=1777", "size=65536k"] },
    { destination: "/dev/mqueue", type: "mqueue", source: "mqueue", options: hardened },
    { destination: "/sys", type: "sysfs", source: "sysfs", options: [...hardened, "ro"] },
    // runc looks for it, and writes nothing to it from within a user namespace.
    { destination: "/sys/fs/cgroup", type: "cgroup", source: "cgroup", options: [...hardened, "relatime", "ro"] },
    ...["/tmp", "/run", "/root"].map((destination) => ({
      destination,
      type: "tmpfs",
      source: "tmpfs",
      options: ["nosuid", "nodev", "mode=0755", `size=${SCRATCH}`],
    })),
  ];
}

function ownMounts({ programs, state, source, file, out }: SandboxPlace): readonly Mount[] {
  return [
    readOnly("/etc/ssl/certs", "/etc/ssl/certs"),
    readOnly(programs, SANDBOX.programs),
    writable(state, SANDBOX.state),
    readOnly(source, SANDBOX.source),
    readOnly(file, SANDBOX.file),
    writable(out, SANDBOX.out),
  ];
}

function readOnly(source: string, destination: string): Mount {
  return { destination, type: "bind", source, options: ["rbind", "ro", "nosuid", "nodev", "rprivate"] };
}

function writable(source: string, destination: string): Mount {
  return { destination, type: "bind", source, options: ["rbind", "rw", "nosuid", "nodev", "rprivate"] };
}
