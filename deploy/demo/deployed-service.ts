/** The demo's service: created and deployed at the first start, found again at later ones with the same state. */
import type { ContainerParts } from "./container-parts.ts";
import { describeError } from "./describe-error.ts";
import type { RestartRecord } from "./restart-record.ts";
import type { ServiceRecord, User } from "./user.ts";

const NAME = "poseidon";

export type Workload = "container" | "builtin";

interface Surroundings {
  readonly restart: RestartRecord;
  readonly containers: ContainerParts | null;
  /** Whether the user requested a container. */
  readonly wanted: boolean;
  readonly say: (line: string) => void;
}

export interface DeployedService {
  readonly serviceId: string;
  readonly workload: Workload;
}

export async function deployedService(user: User, surroundings: Surroundings): Promise<DeployedService> {
  const { restart, wanted, say } = surroundings;
  const { serviceId: earlier, deploymentId, workload } = restart.facts();
  const services = await user.services();
  const service = services.find(({ service_id: id }) => id === earlier);
  // What a user has deployed to the service stays, and the demo takes another service.
  const isOurs = service !== undefined && service.current_deployment_id === deploymentId;
  if (isOurs && workload !== undefined && (workload === "container" || !wanted)) {
    say(`The service ${service.service_name} of an earlier start is there; it is not deployed again.`);
    return { serviceId: service.service_id, workload };
  }
  const serviceId = isOurs ? service.service_id : await user.createService(unusedName(services));
  const deployed = await deployProver(user, surroundings);
  restart.set({ serviceId, ...deployed });
  return { serviceId, workload: deployed.workload };
}

/** Names are unique in a team, whatever their case. */
function unusedName(services: readonly ServiceRecord[]): string {
  const names = new Set(services.map(({ service_name: name }) => name.toLowerCase()));
  if (!names.has(NAME)) return NAME;
  for (let number = 2; ; number += 1) {
    if (!names.has(`${NAME}-${number}`)) return `${NAME}-${number}`;
  }
}

/** An engine that was only found, not requested, may be one that cannot reach this machine's registry. */
async function deployProver(user: User, { containers, wanted, say }: Surroundings) {
  if (containers !== null) {
    try {
      return { deploymentId: await user.deploy(containers.image), workload: "container" as const };
    } catch (error) {
      if (wanted) throw error;
      say(`The container engine at ${containers.engineSocket} cannot be used (${describeError(error)}).`);
    }
  }
  return { deploymentId: await user.deploy("builtin:poseidon"), workload: "builtin" as const };
}
