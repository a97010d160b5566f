/** The device files by which a program reaches its GPU. What is not there is a GPU that is not there. */
import { readFileSync } from "node:fs";
import type { GpuReading } from "./nvml/reading.ts";

export interface DeviceNode {
  readonly path: string;
  /** As the kernel numbers it; null where the driver chooses the number when it is loaded. */
  readonly number: { readonly major: number; readonly minor: number } | null;
}

/** The device files of the GPUs that a workload is given. */
export type GpuNodes = (gpuUuids: readonly string[]) => readonly DeviceNode[];

/** NVIDIA's, as registered. */
const MAJOR = 195;
const CONTROL_MINOR = 255;
const CONTROL: DeviceNode = { path: "/dev/nvidiactl", number: { major: MAJOR, minor: CONTROL_MINOR } };
const UNIFIED_MEMORY: DeviceNode = { path: "/dev/nvidia-uvm", number: null };

/** The files of whole GPUs in /dev. */
export const GPU_NODE = /^nvidia\d+$/;

/**
 * `migMinors` is what the driver says in /proc/driver/nvidia-caps/mig-minors: the right to use an instance is a device
 * separate file, in lines such as `gpu0/gi1/ci0/access 13`.
 */
export function deviceNodes(gpus: readonly GpuReading[], migMinors: string): readonly DeviceNode[] {
  if (gpus.length === 0) return [];
  const minors = new Set(gpus.flatMap(({ minor }) => (minor === null ? [] : [minor])));
  const whole = [...minors].map((minor) => ({ path: `/dev/nvidia${minor}`, number: { major: MAJOR, minor } }));
  return [...whole, CONTROL, UNIFIED_MEMORY, ...gpus.flatMap((gpu) => instanceNodes(gpu, migMinors))];
}

function instanceNodes({ minor, instance }: GpuReading, migMinors: string): readonly DeviceNode[] {
  if (minor === null || instance === null) return [];
  const place = `gpu${minor}/gi${instance.gpu}`;
  return [`${place}/access`, `${place}/ci${instance.compute}/access`].flatMap((right) => {
    const line = migMinors.split("\n").find((each) => each.startsWith(`${right} `));
    return line === undefined ? [] : [{ path: `/dev/nvidia-caps/nvidia-cap${line.split(" ")[1]}`, number: null }];
  });
}

/** Of the driver that runs; empty where it has no instances. */
export function readMigMinors(): string {
  try {
    return readFileSync("/proc/driver/nvidia-caps/mig-minors", "utf8");
  } catch {
    return "";
  }
}
