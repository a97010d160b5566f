import { expect, test } from "vitest";
import { aGpu, aNode, anAssignment } from "../../domain/testing/records.ts";
import { create, replace } from "../../store/change.ts";
import { call } from "../testing/call.ts";
import { addKey, addReadyService, startHttpFixture } from "../testing/http-fixture.ts";

test("shows an operator what no machine has room for until one joins, and nobody else", async () => {
  const api = await startHttpFixture();
  const { userId, teamId } = api.own;
  const read = async (key = api.own.key) => JSON.parse((await call(`${api.url}/v1/fleet/demand`, { key })).text);
  expect(await read()).toEqual({ workloads: 0, tasks: 0, items: [] });
  const resources = { gpuCount: 2, gpuModel: "H100", gpuMemoryBytes: 2 ** 36, nodeLabels: { zone: "a" } };
  const service = await addReadyService(api.store, api.own);
  const before = await api.store.get("deployments", service.currentDeploymentId ?? "");
  if (before === null) throw new Error("no deployment");
  const resourcesBefore = before.value.resources;
  await api.store.commit([
    replace("deployments", before, { ...before.value, resources: { ...resourcesBefore, ...resources } }),
  ]);
  const task = await call(`${api.url}/v1/services/${service.id}`, { key: api.own.key, body: '{"input":1}' });
  const { items, ...sums } = await read();
  expect(sums).toEqual({ workloads: 1, tasks: 1 });
  expect(items).toMatchObject([
    {
      gpu_type: "H100",
      gpu_count: 2,
      gpu_memory_bytes: 2 ** 36,
      node_labels: { zone: "a" },
      oldest_since: task.json.created,
      reason: "no_such_machine",
    },
  ]);
  const gpus = [aGpu("g1"), aGpu("g2")];
  await api.store.commit([
    create(
      "nodes",
      aNode("gpu-1", {
        gpus,
        slots: 2,
        labels: { zone: "a" },
        cpuCores: 64,
        memoryBytes: 2 ** 38,
        builtinProvers: ["noop"],
      }),
    ),
  ]);
  expect((await read()).items).toEqual([]);
  const deployment = { id: service.currentDeploymentId ?? "", serviceId: service.id };
  await api.store.commit([
    create("assignments", anAssignment(deployment, "gpu-1", { slots: 2, gpuUuids: ["g1", "g2"] })),
  ]);
  expect((await read()).items).toEqual([]);
  const user = await addKey(api.store, { userId, defaultTeamId: teamId, scopes: ["services"] });
  expect((await read(user)).code).toBe("scope_missing");
  await api.close();
});
