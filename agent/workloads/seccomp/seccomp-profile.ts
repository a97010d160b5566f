/**
 * Which system calls containers may make: the default profile of the engine, as moby publishes it, without the socket
 * families, the 32-bit calls and the calls of capabilities that no prover, shell or build needs (profile.json). What the
 * default refuses everywhere stays refused: io_uring, keyctl, userfaultfd and perf among others.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** For an engine that reads it from a file of the machine. */
export const PROFILE_PATH = fileURLToPath(new URL("profile.json", import.meta.url));

export interface SeccompRule {
  readonly names: readonly string[];
  readonly action: string;
  readonly errnoRet?: number;
  readonly args?: readonly { readonly index: number; readonly value: number; readonly op: string }[];
  readonly includes?: { readonly arches?: readonly string[]; readonly minKernel?: string };
  readonly excludes?: { readonly caps?: readonly string[]; readonly arches?: readonly string[] };
  readonly comment?: string;
}

/** As moby writes profiles. */
export interface SeccompProfile {
  readonly defaultAction: string;
  readonly defaultErrnoRet: number;
  readonly archMap: readonly { readonly architecture: string; readonly subArchitectures: readonly string[] }[];
  readonly syscalls: readonly SeccompRule[];
}

const text = readFileSync(PROFILE_PATH, "utf8");

export const SECCOMP_PROFILE: SeccompProfile = JSON.parse(text);

/** Of a container's `SecurityOpt`: Docker takes the profile itself. */
export const SECCOMP_OPTION = `seccomp=${JSON.stringify(SECCOMP_PROFILE)}`;
