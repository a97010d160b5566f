/** The demo prover without a repository: into a new service, or into an empty one that an earlier try left behind. */
import { DEMO_IMAGE } from "../services/demo-prover.ts";
import { deployBuiltin, deployInto } from "../services/deploy-builtin.ts";
import { isEmpty } from "./next-step.ts";
import { serviceNamed } from "./run-first-try.ts";

/** Returns the service's id. */
export async function deployDemo(name: string, teamId: string): Promise<string> {
  const service = await serviceNamed(name);
  if (service === null || !isEmpty(service)) return await deployBuiltin(name, DEMO_IMAGE, teamId);
  await deployInto(service.service_id, DEMO_IMAGE);
  return service.service_id;
}
