/** Tasks without a pause while the certificates of their machines are renewed under them. */
import type { ApiClient } from "../cluster/api-client.ts";
import type { EnrolledFleet } from "../cluster/enrolled-fleet.ts";

/** Long enough that several are under way whenever a certificate is renewed. */
const TASK_INPUT = '{"ms":400}';
const TASKS_AT_ONCE = 4;

export interface Rotated {
  readonly succeeded: number;
  readonly failed: readonly string[];
  /** Tasks that needed a second attempt. */
  readonly repeated: readonly string[];
}

export async function proveUntil(fleet: EnrolledFleet, enough: () => boolean): Promise<Rotated> {
  const client = fleet.cluster.client();
  const service = await client.readyService("sleep", { image: "builtin:sleep", scaling: { min: 2, max: 2 } });
  return await proveAt(client, service, enough);
}

export async function proveAt(
  client: Pick<ApiClient, "prove">,
  service: { readonly service_id: string },
  enough: () => boolean,
): Promise<Rotated> {
  const failed: string[] = [];
  const repeated: string[] = [];
  let succeeded = 0;
  const prove = async (): Promise<void> => {
    while (!enough()) {
      const task = await client.prove(service.service_id, TASK_INPUT);
      if (task.state !== "SUCCESS") failed.push(`${task.task_id}: ${task.failure?.reason} ${task.failure?.message}`);
      else succeeded += 1;
      if (task.attempt !== 1) repeated.push(task.task_id);
    }
  };
  await Promise.all(Array.from({ length: TASKS_AT_ONCE }, prove));
  return { succeeded, failed, repeated };
}

/** How often the agent has gone over to a renewed certificate. */
export function renewals(tail: string): number {
  return tail.split("\n").filter((line) => line.includes("linked with the renewed certificate")).length;
}
