/**
 * A container as Podman's own API (libpod) takes it, out of what was written for Docker's: all that container-limits.ts
 * sets stands here too, and the GPUs are named as devices of the Container Device Interface.
 */
import type { ContainerCreateOptions, HostConfig, MountSettings } from "dockerode";

import { PROFILE_PATH, SECCOMP_OPTION } from "../seccomp/seccomp-profile.ts";

/** How nvidia-ctk names them with `--device-name-strategy=uuid`. */
const CDI_KIND = "nvidia.com/gpu";
const CPU_PERIOD_MICROS = 100_000;
const NANOS_A_MICRO = 1_000;

export function libpodContainer(wanted: ContainerCreateOptions): Record<string, unknown> {
  const host = wanted.HostConfig ?? {};
  return {
    image: wanted.Image,
    user: wanted.User,
    env: Object.fromEntries((wanted.Env ?? []).map(splitAtEquals)),
    ...(wanted.Entrypoint === undefined ? {} : { entrypoint: [wanted.Entrypoint].flat() }),
    ...(wanted.Cmd === undefined ? {} : { command: wanted.Cmd }),
    work_dir: wanted.WorkingDir,
    hostname: wanted.Hostname,
    labels: wanted.Labels,
    ...(wanted.StopTimeout === undefined ? {} : { stop_timeout: wanted.StopTimeout }),
    terminal: wanted.Tty ?? false,
    stdin: wanted.OpenStdin ?? false,
    healthconfig: wanted.Healthcheck,
    netns: { nsmode: host.NetworkMode },
    ipcns: { nsmode: host.IpcMode },
    privileged: false,
    cap_drop: host.CapDrop,
    ...(host.CapAdd === undefined ? {} : { cap_add: host.CapAdd }),
    no_new_privileges: host.SecurityOpt?.includes("no-new-privileges") ?? false,
    ...(host.SecurityOpt?.includes(SECCOMP_OPTION) ? { seccomp_profile_path: PROFILE_PATH } : {}),
    read_only_filesystem: host.ReadonlyRootfs ?? false,
    // What an image declares as volumes is among the mounts.
    image_volume_mode: "ignore",
    mounts: mountsOf(host),
    shm_size: host.ShmSize,
    resource_limits: {
      memory: { limit: host.Memory, swap: host.MemorySwap },
      cpu: { period: CPU_PERIOD_MICROS, quota: cpuQuota(host.NanoCpus ?? 0) },
      pids: { limit: host.PidsLimit },
    },
    // By the names of ulimit: it writes RLIMIT_ before each itself.
    r_limits: (host.Ulimits ?? []).map(({ Name, Soft, Hard }) => ({ type: Name, soft: Soft, hard: Hard })),
    log_configuration: { driver: "k8s-file", options: host.LogConfig?.Config },
    restart_policy: "no",
    devices: gpusOf(wanted).map((uuid) => ({ path: `${CDI_KIND}=${uuid}` })),
  };
}

/** Those that the container is to get. */
export function gpusOf({ HostConfig }: ContainerCreateOptions): readonly string[] {
  return (HostConfig?.DeviceRequests ?? []).flatMap(({ DeviceIDs }) => DeviceIDs ?? []);
}

/** Mounts of a device, which Docker has as separate volumes with options of its driver. */
export function disksOf({ HostConfig }: ContainerCreateOptions): NonNullable<HostConfig["Mounts"]> {
  return (HostConfig?.Mounts ?? []).filter(({ Type }) => Type === "volume");
}

function mountsOf({ Tmpfs = {}, Mounts = [] }: HostConfig): readonly object[] {
  const memory = Object.entries(Tmpfs).map(([destination, options]) => ({
    destination,
    type: "tmpfs",
    source: "tmpfs",
    options: memoryOptions(options),
  }));
  return [...memory, ...Mounts.map((mount) => (mount.Type === "volume" ? diskMount(mount) : folderMount(mount)))];
}

/** Podman rejects an owner by its number; `U` makes it the container's user, which is who is named. */
export function memoryOptions(options: string): readonly string[] {
  const all = options.split(",");
  const others = all.filter((option) => !/^[ug]id=/.test(option));
  return others.length === all.length ? all : [...others, "U"];
}

function folderMount({ Source, Target, ReadOnly, BindOptions }: MountSettings): object {
  const options = ["bind", ReadOnly ? "ro" : "rw", BindOptions?.Propagation ?? "rprivate"];
  return { destination: Target, type: "bind", source: Source, options };
}

/** The runtime mounts the device itself, in the container's own view of the machine: it goes with the container. */
function diskMount({ Target, VolumeOptions }: MountSettings): object {
  const { type, device, o } = VolumeOptions?.DriverConfig?.Options ?? {};
  return { destination: Target, type, source: device, options: o?.split(",") };
}

function cpuQuota(nanoCpus: number): number {
  return Math.round((nanoCpus / NANOS_A_MICRO / 1_000_000) * CPU_PERIOD_MICROS);
}

function splitAtEquals(entry: string): readonly [string, string] {
  const at = entry.indexOf("=");
  return at === -1 ? [entry, ""] : [entry.slice(0, at), entry.slice(at + 1)];
}
