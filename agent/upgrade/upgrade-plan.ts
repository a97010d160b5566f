/** Whether this machine's agent becomes another version: pure. */
import { compareVersions } from "@elastic/std/program-release/version-order.ts";

interface OfferedVersion {
  readonly version: string;
  readonly minimumAgent: string;
  readonly minimumCoordinator: string;
}

export interface UpgradeQuestion {
  /** The version that is installed. */
  readonly installed: string;
  readonly offered: OfferedVersion;
  /** Of the coordinator that offers it; null where it does not say. */
  readonly coordinator: string | null;
  /** Whether an older version is meant. */
  readonly rollback: boolean;
}

export type UpgradePlan =
  | { readonly kind: "upgrade" }
  | { readonly kind: "nothing"; readonly why: string }
  | { readonly kind: "refused"; readonly why: string };

export function planUpgrade({ installed, offered, coordinator, rollback }: UpgradeQuestion): UpgradePlan {
  const { version, minimumAgent, minimumCoordinator } = offered;
  const order = compareVersions(version, installed);
  if (order === 0) return { kind: "nothing", why: `the agent is of version ${installed}, and the release too` };
  if (order < 0 && !rollback) {
    return refused(
      `release ${version} is older than this agent, ${installed}: name it with --version and give --rollback if you mean it`,
    );
  }
  if (compareVersions(installed, minimumAgent) < 0) {
    return refused(
      `release ${version} takes an agent of ${minimumAgent} or later, and this one is ${installed}: upgrade to ${minimumAgent} first (--version)`,
    );
  }
  if (coordinator !== null && compareVersions(coordinator, minimumCoordinator) < 0) {
    return refused(
      `release ${version} takes coordinators of ${minimumCoordinator} or later, and they are ${coordinator}: upgrade them first`,
    );
  }
  return { kind: "upgrade" };
}

function refused(why: string): UpgradePlan {
  return { kind: "refused", why };
}
