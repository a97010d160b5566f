/**
 * The environment of a container. What the platform sets wins, and names that reach beyond the prover are left
 * out wherever they come from: the deployment or the image. The loader's and the C library's variables act on
 * whatever the engine runs inside the container before the prover, and those of NVIDIA's runtime choose devices.
 */

export const PROVER_PORT = 8080;

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const DENIED_NAMES = new Set(["GCONV_PATH", "GLIBC_TUNABLES", "LOCPATH", "NLSPATH", "HOSTALIASES", "RES_OPTIONS"]);
const DENIED_PREFIXES = ["LD_", "NVIDIA_"];
const VALUE_BYTES_MAX = 32 * 1024;

export function isAllowedName(name: string): boolean {
  return NAME.test(name) && !DENIED_NAMES.has(name) && !DENIED_PREFIXES.some((prefix) => name.startsWith(prefix));
}

export interface ContainerEnv {
  /** `NAME=value`, and `NAME` alone for what the image sets and the container must not have. */
  readonly entries: readonly string[];
  /** Names of the deployment that were left out. */
  readonly leftOut: readonly string[];
}

/** `imageEnv` are the image's own entries, which the engine adds by itself. */
export function containerEnv(
  wanted: Readonly<Record<string, string>>,
  imageEnv: readonly string[],
  inputBytesMax: number,
): ContainerEnv {
  const entries = new Map<string, string>();
  const leftOut: string[] = [];
  for (const [name, value] of Object.entries(wanted)) {
    if (isAllowedName(name) && !value.includes("\0") && Buffer.byteLength(value) <= VALUE_BYTES_MAX)
      entries.set(name, value);
    else leftOut.push(name);
  }
  for (const [name, value] of platformVariables(inputBytesMax)) entries.set(name, value);
  const removed = imageEnv
    .map((entry) => entry.split("=", 1)[0] ?? "")
    .filter((name) => name !== "" && !isAllowedName(name) && !entries.has(name));
  return { entries: [...[...entries].map(([name, value]) => `${name}=${value}`), ...removed], leftOut };
}

function platformVariables(inputBytesMax: number): readonly (readonly [string, string])[] {
  return [
    ["PORT", `${PROVER_PORT}`],
    ["ELASTIC_INPUT_BYTES_MAX", `${inputBytesMax}`],
    // The only place that can be written.
    ["HOME", "/tmp"],
    ["TMPDIR", "/tmp"],
  ];
}
