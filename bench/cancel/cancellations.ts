/** How long a cancelled task still has its prover. */
import { until } from "@elastic/deploy/local/until.ts";
import { newId } from "@elastic/std/ids.ts";
import type { ApiClient, NewDeployment } from "@elastic/test/cluster/api-client.ts";
import { isGone } from "./prover-process.ts";

const WITHIN = { timeoutMs: 60_000, everyMs: 5 };

export interface Cancelled {
  readonly deployment: NewDeployment;
  /** Of a task that ends by being cancelled only. */
  readonly input: string;
}

/** Its prover has one task at a time. */
const ALONE = { scaling: { min: 1, max: 1 }, limits: { concurrency: 1 } };

/** Seconds from the request until the next task runs in the same prover: of each of so many cancellations. */
export async function untilNextRuns(client: ApiClient, { deployment, input }: Cancelled, rounds: number) {
  const { service_id: service } = await client.readyService(`next-${newId(Date.now())}`, { ...deployment, ...ALONE });
  const seconds: number[] = [];
  let { task_id: running } = await client.postTask(service, input);
  await until("the first task to run", () => runs(client, running), WITHIN);
  for (let round = 1; round <= rounds; round += 1) {
    const { task_id: next } = await client.postTask(service, input);
    const atMs = performance.now();
    await cancel(client, running);
    await until("the next task to run", () => runs(client, next), WITHIN);
    seconds.push((performance.now() - atMs) / 1000);
    running = next;
  }
  await cancel(client, running);
  await client.deleteServices();
  return seconds;
}

/** Seconds from the request until the prover's process is gone, of one that is frozen while it works. */
export async function untilGone(client: ApiClient, { deployment, input }: Cancelled, { rounds, processOf }: Gone) {
  const { service_id: service } = await client.readyService(`gone-${newId(Date.now())}`, { ...deployment, ...ALONE });
  const seconds: number[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const { task_id: task } = await client.postTask(service, input);
    // It runs as soon as it is claimed; the prover that is to have it may still be starting.
    await until("the prover to print a line", () => printed(client, task), WITHIN);
    const pid = await until("the prover's process", processOf, WITHIN);
    process.kill(pid, "SIGSTOP");
    const atMs = performance.now();
    await cancel(client, task);
    await until("the process to be gone", () => isGone(pid) || undefined, { ...WITHIN, everyMs: 2 });
    seconds.push((performance.now() - atMs) / 1000);
  }
  await client.deleteServices();
  return seconds;
}

export interface Gone {
  readonly rounds: number;
  readonly processOf: () => number | undefined | Promise<number | undefined>;
}

/** Seconds that a task takes which does nothing: the same ways there and back. */
export async function emptyTasks(client: ApiClient, rounds: number): Promise<readonly number[]> {
  const { service_id: service } = await client.readyService(`empty-${newId(Date.now())}`, {
    image: "builtin:noop",
    ...ALONE,
  });
  const seconds: number[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const atMs = performance.now();
    await client.prove(service, "0");
    seconds.push((performance.now() - atMs) / 1000);
  }
  await client.deleteServices();
  return seconds;
}

async function cancel(client: ApiClient, taskId: string): Promise<void> {
  const { status, text } = await client.call(`/v1/tasks/${taskId}/cancel`, { method: "POST" });
  if (status >= 300) throw new Error(`a task could not be cancelled: ${status} ${text}`);
}

async function runs(client: ApiClient, taskId: string): Promise<true | undefined> {
  return (await client.task(taskId)).phase === "running" || undefined;
}

async function printed(client: ApiClient, taskId: string): Promise<true | undefined> {
  return (await client.call(`/v1/tasks/${taskId}/logs`)).text !== "" || undefined;
}
