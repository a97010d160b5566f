/** A coordinator, and an agent on which a service's workload is up: what tests of running attempts begin with. */
import { WorkloadPhase } from "@elastic/proto/gen/elastic/fleet/v1/workload.ts";
import type { Logger } from "@elastic/std/log.ts";
import type { FakeAgent } from "./fake-agent.ts";
import {
  type Coordinator,
  type DeployedService,
  type deployService,
  FleetFixture,
  readyAgent,
} from "./fleet-fixture.ts";

export interface ReadyFleet extends DeployedService {
  readonly fixture: FleetFixture;
  readonly coordinator: Coordinator;
  readonly agent: FakeAgent;
  readonly assignmentId: string;
}

export async function startReadyFleet(
  deployment: Parameters<typeof deployService>[1] = {},
  log?: Logger,
): Promise<ReadyFleet> {
  const fixture = await FleetFixture.open();
  const coordinator = await fixture.coordinator(log === undefined ? {} : { log });
  return { fixture, coordinator, ...(await readyAgent(fixture, coordinator, { deployment })) };
}

/** What an agent says of an assignment whose prover is up. */
export function workloadUp(assignmentId: string) {
  return { assignmentId, phase: WorkloadPhase.WORKLOAD_PHASE_READY, failure: undefined };
}

/** An agent of another node, which runs nothing: no attempt is its own. */
export async function startThief({ fixture, coordinator }: ReadyFleet): Promise<FakeAgent> {
  const thief = fixture.agent(coordinator, "node-thief");
  await thief.hello({ slots: 0 });
  return thief;
}
