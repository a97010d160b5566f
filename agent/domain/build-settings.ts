/** How a machine builds images. */
import type { EgressRule } from "@elastic/std/net/egress-rule.ts";
import type { IpRange } from "@elastic/std/net/ip-address.ts";

/** Only what nothing else wants; or a weight of cgroup version 2, where a container of the engine has 100. */
export type CpuWeight = "idle" | number;

export const CPU_WEIGHT_MIN = 1;
export const CPU_WEIGHT_MAX = 10_000;

export interface BuildSettings {
  /** At a time; 0: none are built here. */
  readonly max: number;
  /** Hosts that steps may reach. */
  readonly egress: readonly EgressRule[];
  /** Addresses that are not public, and that steps may reach whose list names them. */
  readonly egressRanges: readonly IpRange[];
  /** `host[:port]` of a pull-through mirror for base images; null for none. */
  readonly mirror: string | null;
  /** Of one team's layers and the current build. */
  readonly diskBytes: number;
  /** Of all teams' disks together. */
  readonly cacheBytes: number;
  /** Of all builds together, next to what else wants the processors. */
  readonly cpuWeight: CpuWeight;
  /** Where BuildKit's programs are searched for, as `PATH` has it. */
  readonly path: string;
}
