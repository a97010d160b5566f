/**
 * Where a container's limits are set: all of what a prover's container may and may not do, and nowhere else.
 *
 * - no network at all; the agent reaches it through a relay that enters its namespace (relay.ts)
 * - an unprivileged user whatever the image says, no capability, no way to gain one
 * - a read-only root and data volume; what may be written is memory of bounded size, never a disk
 * - memory without swap, processors, processes, open files, log: each with an end
 * - the system calls of a profile of this repository (seccomp/profile.json)
 * - only the GPUs that the assignment names
 */
import type { HostConfig } from "dockerode";
import type { WorkloadSpec } from "../../domain/workload-spec.ts";
import { SECCOMP_OPTION } from "../seccomp/seccomp-profile.ts";
import type { HostLimits } from "./host-limits.ts";

/** As a number, so that no image decides who that is. */
const CONTAINER_USER_ID = 65_534;
export const CONTAINER_USER = `${CONTAINER_USER_ID}:${CONTAINER_USER_ID}`;

/** Where a prover may write. */
const SCRATCH = "/tmp";
/** Where it finds the deployment's data volume, read-only. */
export const DATA_FOLDER = "/data";
const LOG_FILE_SIZE = "4m";
const LOG_FILES = "2";
const OPEN_FILES_MAX = 4096;
/**
 * The kernel counts processes per user, over all containers of that user: this only bounds them together, and the
 * limit of one container is `PidsLimit`.
 */
const PROCESSES_OF_USER_MAX = 32_768;
const SHARED_MEMORY_BYTES = 64 * 1024 * 1024;
/** The relay connects from within, and a fork of the prover needs a process or two beyond its threads. */
const PIDS_MIN = 16;

/**
 * `volumes` are paths that the image declares as volumes: memory too, else they would be folders of the host. `data` is
 * the folder of the data volume, where the workload has one.
 */
export function containerLimits(
  spec: Pick<WorkloadSpec, "resources" | "gpuUuids">,
  volumes: readonly string[],
  data: string | null,
  host: HostLimits,
): HostConfig {
  const { cpuMillis, memoryBytes, pids, tmpBytes } = spec.resources;
  const openFiles = Math.min(OPEN_FILES_MAX, host.openFilesMax);
  const processes = Math.min(PROCESSES_OF_USER_MAX, host.processesMax);
  return {
    NetworkMode: "none",
    IpcMode: "private",
    Privileged: false,
    CapDrop: ["ALL"],
    SecurityOpt: ["no-new-privileges", SECCOMP_OPTION],
    ReadonlyRootfs: true,
    Tmpfs: Object.fromEntries([SCRATCH, ...volumes].map((path) => [path, scratchOptions(tmpBytes)])),
    Mounts: data === null ? [] : [dataMount(data)],
    ShmSize: SHARED_MEMORY_BYTES,
    Memory: memoryBytes,
    // Equal to Memory: no swap.
    MemorySwap: memoryBytes,
    NanoCpus: cpuMillis * 1_000_000,
    PidsLimit: Math.max(PIDS_MIN, pids),
    Ulimits: [
      { Name: "nofile", Soft: openFiles, Hard: openFiles },
      { Name: "nproc", Soft: processes, Hard: processes },
      // A core dump would write the prover's secrets to the host's disk.
      { Name: "core", Soft: 0, Hard: 0 },
    ],
    LogConfig: { Type: "json-file", Config: { "max-size": LOG_FILE_SIZE, "max-file": LOG_FILES } },
    // The agent decides on restarts: the engine would bring up what is assigned no longer.
    RestartPolicy: { Name: "no", MaximumRetryCount: 0 },
    DeviceRequests: spec.gpuUuids.length === 0 ? [] : [gpuRequest(spec.gpuUuids)],
  };
}

/**
 * Its pages count as the container's memory. It belongs to the container's user, since runc gives it the mode that the
 * image's folder in its place has, such as 0755, whatever mode is requested.
 */
function scratchOptions(bytes: number): string {
  const owner = `uid=${CONTAINER_USER_ID},gid=${CONTAINER_USER_ID}`;
  return `rw,nosuid,nodev,noexec,size=${bytes},mode=1777,${owner}`;
}

/** Nothing that is mounted later on the host below it shows up inside. */
function dataMount(source: string): NonNullable<HostConfig["Mounts"]>[number] {
  const options = { Type: "bind", Source: source, Target: DATA_FOLDER, ReadOnly: true } as const;
  return { ...options, BindOptions: { Propagation: "rprivate" } };
}

function gpuRequest(uuids: readonly string[]): NonNullable<HostConfig["DeviceRequests"]>[number] {
  return {
    Driver: "nvidia",
    Count: 0,
    DeviceIDs: [...uuids],
    Capabilities: [["gpu", "compute", "utility"]],
    Options: {},
  };
}
