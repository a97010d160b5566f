/** How this node introduces itself to a coordinator. */
import type { Hello } from "@elastic/proto/gen/elastic/fleet/v1/fleet.ts";
import { HELLO_ATTEMPTS_MAX } from "@elastic/proto/message-limits.ts";
import type { DiskKeeper } from "../disks/keep-disks.ts";
import { AGENT_VERSION } from "../domain/agent-version.ts";
import { trustedRoots } from "../enrollment/trusted-roots.ts";
import { workloadReport } from "../workloads/workload-report.ts";
import type { Machine } from "./machine.ts";
import type { Node } from "./open-node.ts";
import type { Work } from "./start-work.ts";

const PROTOCOL_VERSION = 1;

export interface HelloParts {
  readonly machine: Machine;
  readonly work: Work;
  readonly disks: Pick<DiskKeeper, "pressure">;
}

export function writeHello({ config, nodeId, sessionId }: Node, { machine, work, disks }: HelloParts): Hello {
  const diskPressure = disks.pressure();
  return {
    nodeId,
    protocolVersion: PROTOCOL_VERSION,
    agentVersion: AGENT_VERSION,
    inventory: { ...machine.inventory(), ...(diskPressure === null ? {} : { diskPressure }) },
    workloads: work.reconciler.workloads().map(workloadReport),
    // Running ones come first; an outcome that is left out is reported all the same.
    attempts: work.attempts.refs().slice(0, HELLO_ATTEMPTS_MAX),
    sessionId,
    ...(config.isEnrolled ? { trustedRoots: { sha256: trustedRoots(config.tls.caFile) } } : {}),
  };
}
