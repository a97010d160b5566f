/** Between a machine and the coordinator that leads everything vanishes, while another coordinator still reaches the machine. */
import { until } from "@elastic/deploy/local/until.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Cluster, startCluster } from "../cluster/cluster.ts";
import { type FaultProxy, startFaultProxy } from "../cluster/fault-proxy.ts";

/** Longer than a machine may be silent before it is lost. */
const RUN_MS = 25_000;

let proxy: FaultProxy | undefined;
let cluster: Cluster;

beforeAll(async () => {
  const through = async (grpc: string) => (grpc === cluster?.coordinators[0]?.grpc ? (proxy?.address ?? grpc) : grpc);
  cluster = await startCluster({ coordinators: 2, agents: 0, coordinatorThrough: through });
  const [leader, other] = cluster.coordinators;
  if (leader === undefined || other === undefined) throw new Error("two coordinators were started");
  proxy = await startFaultProxy(leader.grpc);
  // Not killed: then the address that is not behind the proxy would be announced for seconds more.
  await other.stop();
  await leader.stop();
  await leader.startWith({ ELASTIC_GRPC_ADVERTISE: proxy.address });
  await until("the first to lead", async () => (await leads(leader.metricsUrl)) || undefined, { timeoutMs: 30_000 });
  await other.start();
  await cluster.addAgent();
}, 120_000);
afterAll(async () => {
  await cluster?.[Symbol.asyncDispose]();
  await proxy?.[Symbol.asyncDispose]();
});

async function leads(metricsUrl: string): Promise<boolean> {
  return /^elastic_scheduler_leader 1$/m.test(await (await fetch(metricsUrl)).text());
}

test("what runs there ends undisturbed, and what is new starts there", { timeout: 120_000 }, async () => {
  const client = cluster.client();
  const sleep = await client.readyService("sleep", { image: "builtin:sleep" });
  const echo = await client.readyService("echo", { image: "builtin:echo" });
  const long = await client.postTask(sleep.service_id, JSON.stringify({ ms: RUN_MS }));
  await expect.poll(async () => (await client.task(long.task_id)).phase, { timeout: 10_000 }).toBe("running");
  proxy?.set("black-hole");
  const meanwhile = await client.prove(echo.service_id, '{"n":1}');
  expect(meanwhile).toMatchObject({ state: "SUCCESS", attempt: 1 });
  expect(await client.task(long.task_id)).toMatchObject({ state: "PENDING", phase: "running" });
  expect(await client.ended(long.task_id)).toMatchObject({ state: "SUCCESS", attempt: 1 });
});
