/**
 * What a shell's container is created with: a first process that waits, inside the sandbox of provers. Its root is
 * read-only as theirs is; what it writes goes to its home, or to a scratch disk that is empty after each start.
 */
import type { ContainerCreateOptions, HostConfig, ImageInspectInfo } from "dockerode";
import type { WorkloadSpec } from "../../domain/workload-spec.ts";
import { PROXY_ENV } from "../../egress/way-out.ts";
import { type ContainerOwner, LABELS, SHELL_KIND, specDigest } from "../docker/container-config.ts";
import { CONTAINER_USER, containerLimits } from "../docker/container-limits.ts";
import type { HostLimits } from "../docker/host-limits.ts";
import { imageVolumes } from "../docker/image-volumes.ts";
import type { AttachedDisks } from "./shell-disks.ts";

const HOME_FOLDER = "/home/shell";
const SCRATCH_FOLDER = "/tmp";
/** In memory, small: programs put locks and sockets there. */
const SMALL_FOLDERS = ["/run", "/var/tmp"];
/** As the first process it also collects what sessions leave behind. */
const WAIT = "trap 'exit 0' TERM; while :; do sleep 3600 & wait $!; done";

export function shellContainer(
  spec: WorkloadSpec,
  image: Pick<ImageInspectInfo, "Config">,
  owner: ContainerOwner,
  on: { readonly host: HostLimits; readonly disks: AttachedDisks },
): ContainerCreateOptions {
  return {
    Image: spec.image,
    User: CONTAINER_USER,
    Entrypoint: ["/bin/sh", "-c", WAIT],
    Cmd: [],
    Env: environment(spec),
    WorkingDir: HOME_FOLDER,
    Hostname: "shell",
    Tty: false,
    OpenStdin: false,
    Healthcheck: { Test: ["NONE"] },
    Labels: {
      [LABELS.node]: owner.nodeId,
      [LABELS.assignment]: spec.assignmentId,
      [LABELS.session]: owner.sessionId,
      [LABELS.spec]: specDigest(spec),
      [LABELS.kind]: SHELL_KIND,
    },
    HostConfig: hostConfig(spec, image, on),
  };
}

function environment({ shell, env }: WorkloadSpec): string[] {
  const proxy = shell === null || shell.egress.length === 0 ? [] : PROXY_ENV;
  return [
    ...[`HOME=${HOME_FOLDER}`, `TMPDIR=${SCRATCH_FOLDER}`, ...proxy],
    ...Object.entries(env).map(([name, value]) => `${name}=${value}`),
  ];
}

function hostConfig(
  spec: WorkloadSpec,
  image: Pick<ImageInspectInfo, "Config">,
  { host, disks }: { readonly host: HostLimits; readonly disks: AttachedDisks },
): HostConfig {
  const own = [HOME_FOLDER, SCRATCH_FOLDER];
  const declared = imageVolumes(image.Config.Volumes).filter((path) => !own.includes(path));
  const limits = containerLimits(spec, [...SMALL_FOLDERS, ...declared], null, host);
  const { [SCRATCH_FOLDER]: _, ...inMemory } = limits.Tmpfs ?? {};
  return {
    ...limits,
    Tmpfs: inMemory,
    Mounts: [diskMount(disks.home, HOME_FOLDER), diskMount(disks.scratch, SCRATCH_FOLDER)],
  };
}

/** The engine mounts it, in its own view of the machine, for as long as the container runs. */
function diskMount(device: string, target: string): NonNullable<HostConfig["Mounts"]>[number] {
  const Options = { type: "ext4", device, o: "nosuid,nodev,noatime" };
  return {
    Type: "volume",
    Source: "",
    Target: target,
    ReadOnly: false,
    VolumeOptions: { NoCopy: true, Labels: {}, DriverConfig: { Name: "local", Options } },
  };
}
