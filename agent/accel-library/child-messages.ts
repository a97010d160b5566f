/** Reads what the process that calls the acceleration library says. The library may print there too, whatever it likes. */
import type { DeviceInfo } from "../kernels/zkaccel/accelerator.ts";
import type { Speed } from "../kernels/zkaccel/benchmark.ts";
import type { ChildMessage } from "../kernels/zkaccel/messages.ts";

type Fields<T> = Partial<Readonly<Record<keyof T, unknown>>>;

/** Null for a line that is not of the shape of anything that is said. */
export function parseChildMessage(line: string): ChildMessage | null {
  try {
    const said: unknown = JSON.parse(line);
    return isChildMessage(said) ? said : null;
  } catch {
    return null;
  }
}

function isChildMessage(value: unknown): value is ChildMessage {
  const said = value as Readonly<Record<string, unknown>> | null;
  switch (said?.kind) {
    case "up":
      return true;
    case "doing":
      return typeof said.what === "string";
    case "info":
      return isInfo(said.info);
    case "tested":
      return said.failure === null || typeof said.failure === "string";
    case "measured":
      return isInfo(said.info) && isSpeed(said.speed);
    case "failed":
      return typeof said.why === "string";
    default:
      return false;
  }
}

function isInfo(value: unknown): boolean {
  const { backend, isa, threads, name } = (value ?? {}) as Fields<DeviceInfo>;
  return [backend, isa, name].every((word) => typeof word === "string") && typeof threads === "number";
}

function isSpeed(value: unknown): boolean {
  const { msmPointsPerSecond, nttElementsPerSecond } = (value ?? {}) as Fields<Speed>;
  return typeof msmPointsPerSecond === "number" && typeof nttElementsPerSecond === "number";
}
