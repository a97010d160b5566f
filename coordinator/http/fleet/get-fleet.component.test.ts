import { expect, test } from "vitest";
import { MASS_FAILURE } from "../../domain/circuit-breaker.ts";
import { aNode } from "../../domain/testing/records.ts";
import { create } from "../../store/change.ts";
import { announce } from "../../store/coordinators.ts";
import { LEADER_KEY } from "../../store/keys.ts";
import { call } from "../testing/call.ts";
import { addReadyService, startHttpFixture } from "../testing/http-fixture.ts";

test("an operator sees the queue, the circuit breaker, who leads, and all versions", async () => {
  const api = await startHttpFixture();
  const read = async () => JSON.parse((await call(`${api.url}/v1/fleet`, { key: api.own.key })).text);
  expect(await read()).toEqual({
    queued_tasks: 0,
    running_tasks: 0,
    oldest_queued: null,
    queues: [],
    requeue: { stopped_since: null, resumed_until: null },
    leader: null,
    coordinators: [],
    agent_versions: [],
  });
  const id = "c".repeat(32);
  const facts = { id, grpcAddress: "control.example:8443", version: "0.1.0", roles: ["http", "fleet"], startedAt: 0 };
  const announcement = await announce({ kv: api.kv, facts, log: api.options.log });
  const leader = Buffer.from(JSON.stringify({ coordinatorId: id, leaseId: "1", since: 60_000 }));
  await api.kv.txn({ compares: [], puts: [{ key: LEADER_KEY, value: leader }], deletes: [] });
  await api.store.commit([
    create("circuit-breakers", { id: MASS_FAILURE, openSince: 60_000 }),
    create("nodes", aNode("a")),
    create("nodes", aNode("b", { node: { agentVersion: "0.0.9" } })),
  ]);
  const service = await addReadyService(api.store, api.own);
  const task = await call(`${api.url}/v1/services/${service.id}`, { key: api.own.key, body: '{"input":1}' });
  expect(await read()).toEqual({
    queued_tasks: 1,
    running_tasks: 0,
    oldest_queued: task.json.created,
    queues: [
      expect.objectContaining({ service_id: service.id, service_name: "prover", team_name: "team own", queued: 1 }),
    ],
    requeue: { stopped_since: "1970-01-01T00:01:00", resumed_until: null },
    leader: { coordinator_id: id, since: "1970-01-01T00:01:00" },
    coordinators: [
      {
        coordinator_id: id,
        grpc_address: "control.example:8443",
        version: "0.1.0",
        roles: ["http", "fleet"],
        started: "1970-01-01T00:00:00",
      },
    ],
    agent_versions: [
      { version: "0.0.9", nodes: 1 },
      { version: "0.1.0", nodes: 1 },
    ],
  });
  await announcement.stop();
  await api.close();
});
