/**
 * The environment of a container. What the platform sets wins, and names that reach beyond the prover are left
 * out wherever they come from: the deployment or the image. The loader's and the C library's variables act on
 * whatever the engine runs inside the container before the prover, and those of NVIDIA's runtime choose devices.
 */

export const PROVER_PORT = 8080;

/**
 * Every name that a deployment cannot set, all in one place: what the platform sets itself, and what it drops of
 * deployment and image alike. A coordinator refuses each of them when a service is deployed, where its owner can
 * still mend it; whoever adds one here adds it there.
 */
export const DROPPED_NAME =
  /^(PORT|HOME|TMPDIR|ELASTIC_INPUT_BYTES_MAX|ELASTIC_ROLE|GCONV_PATH|GLIBC_TUNABLES|LOCPATH|NLSPATH|HOSTALIASES|RES_OPTIONS|LD_.*|NVIDIA_.*)$/;

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const VALUE_BYTES_MAX = 32 * 1024;

export function isAllowedName(name: string): boolean {
  return NAME.test(name) && !DROPPED_NAME.test(name);
}

export interface ContainerEnv {
  /** `NAME=value`, and `NAME` alone for what the image sets and the container must not have. */
  readonly entries: readonly string[];
  /** Names of the deployment that were left out. */
  readonly leftOut: readonly string[];
}

/** What the platform passes to a container. */
export interface PlatformEnv {
  readonly inputBytesMax: number;
  /** One image can be both: prover and verifier have the same environment but for this. */
  readonly role: "prover" | "verifier";
}

/** `imageEnv` are the image's own entries, which the engine adds automatically. */
export function containerEnv(
  wanted: Readonly<Record<string, string>>,
  imageEnv: readonly string[],
  platform: PlatformEnv,
): ContainerEnv {
  const entries = new Map<string, string>();
  const leftOut: string[] = [];
  for (const [name, value] of Object.entries(wanted)) {
    if (isAllowedName(name) && !value.includes("\0") && Buffer.byteLength(value) <= VALUE_BYTES_MAX)
      entries.set(name, value);
    else leftOut.push(name);
  }
  for (const [name, value] of platformVariables(platform)) entries.set(name, value);
  const removed = imageEnv
    .map((entry) => entry.split("=", 1)[0] ?? "")
    .filter((name) => name !== "" && !isAllowedName(name) && !entries.has(name));
  return { entries: [...[...entries].map(([name, value]) => `${name}=${value}`), ...removed], leftOut };
}

function platformVariables({ inputBytesMax, role }: PlatformEnv): readonly (readonly [string, string])[] {
  return [
    ["PORT", `${PROVER_PORT}`],
    ["ELASTIC_INPUT_BYTES_MAX", `${inputBytesMax}`],
    ["ELASTIC_ROLE", role],
    // The only place that can be written.
    ["HOME", "/tmp"],
    ["TMPDIR", "/tmp"],
  ];
}
