import { afterAll, beforeAll, expect, test } from "vitest";
import { evicted, lost, type Node } from "../../domain/node.ts";
import { quarantined } from "../../domain/quarantine.ts";
import { claim } from "../../domain/task.ts";
import {
  aDeployment,
  aGpu,
  aNode,
  anAssignment,
  aReadyService,
  aShell,
  aShellAssignment,
  aTask,
  aWorkload,
} from "../../domain/testing/records.ts";
import type { NodeDetails } from "../../public/node-details.ts";
import { create, remove, replace } from "../../store/change.ts";
import { startHttp } from "../server.ts";
import { type CallResponse, call, type ResponseBody } from "../testing/call.ts";
import { addKey, type HttpFixture, startHttpFixture } from "../testing/http-fixture.ts";

const H100 = "NVIDIA H100 80GB HBM3";

let api: HttpFixture;
beforeAll(async () => {
  api = await startHttpFixture();
});
afterAll(() => api.close());

type NodeResponse = Pick<CallResponse, "status" | "text"> & { readonly json: NodePage & NodeDetails & ResponseBody };

interface NodePage {
  readonly items: readonly (NodeDetails & ResponseBody)[];
  readonly total: number;
  readonly pages: number;
}

async function send(method: string, path: string, key = api.own.key): Promise<NodeResponse> {
  return (await call(`${api.url}/v1/${path}`, { key, method })) as unknown as NodeResponse;
}

async function add(...nodes: readonly Node[]): Promise<void> {
  await api.store.commit(nodes.map((node) => create("nodes", node)));
}

async function namesOf(query: string): Promise<string[]> {
  const { json } = await send("GET", `nodes?size=100&${query}`);
  return json.items.map(({ node_id: id }) => id);
}

test("nodes are listed by name and page, by state, label and type of GPU", async () => {
  await add(
    aNode("list-b", { labels: { zone: "eu", disk: "" }, gpus: [aGpu("b1"), aGpu("b2", { migProfile: "1g.10gb" })] }),
    aNode("list-a", { labels: { zone: "us" } }),
    lost(aNode("list-c", { labels: { zone: "eu" }, gpus: [aGpu("c1")] }), 5),
    evicted(aNode("list-d", { labels: { zone: "eu" }, gpus: [aGpu("d1")] }), 6),
  );
  expect(await namesOf("label=zone")).toEqual(["list-a", "list-b", "list-c", "list-d"]);
  expect(await namesOf("label=zone%3Deu&state=READY")).toEqual(["list-b"]);
  expect(await namesOf("label=disk%3D")).toEqual(["list-b"]);
  expect(await namesOf("label=zone%3De")).toEqual([]);
  expect(await namesOf("label=__proto__")).toEqual([]);
  expect(await namesOf("label=zone&state=LOST")).toEqual(["list-c"]);
  expect(await namesOf("gpu_type=h100+1g.10gb&label=zone")).toEqual(["list-b"]);
  expect(await namesOf("gpu_type=h10&label=zone")).toEqual([]);
  const { json } = await send("GET", "nodes?label=zone&page=2&size=1");
  expect([json.total, json.pages, json.items.length, json.items[0]?.node_id]).toEqual([4, 4, 1, "list-b"]);
  expect((await send("GET", "nodes?state=DEAD")).json.errors[0]?.pointer).toBe("state");
});

test("a node's page has its machine, and what each GPU is given to", async () => {
  const { service, deployment } = aReadyService();
  const ill = aGpu("g3", { unhealthyReason: "the GPU fell off the bus (Xid 79)" });
  await add(aNode("whole", { gpus: [aGpu("g1"), aGpu("g2"), ill], labels: { zone: "eu" } }));
  const place = anAssignment(deployment, "whole", { gpuUuids: ["g1"], teamId: api.own.teamId });
  const shell = aShell({ id: "5".repeat(32) });
  const shellPlace = aShellAssignment(shell, "whole", { id: "6".repeat(32), gpuUuids: ["g2"] });
  const on = { nodeId: "whole", sessionId: "s", assignmentId: place.id };
  const task = claim(aTask(service), on, 60_000);
  const failure = { step: null, reason: "gpu_fault", message: "no", exitCode: null, logTail: "" } as const;
  await api.store.commit([
    create("assignments", place),
    create("assignments", shellPlace),
    create("workloads", aWorkload(place)),
    create("workloads", aWorkload(shellPlace, { phase: "failed", failure })),
    create("tasks", task),
    create("services", service),
    create("deployments", deployment),
    create("shells", shell),
  ]);
  const { json } = await send("GET", "nodes/whole");
  expect(json).toMatchObject({
    node_id: "whole",
    state: "READY",
    drain: null,
    labels: { zone: "eu" },
    cpu_cores: 4,
    engine: null,
    builtin_provers: ["echo"],
    takes_shells: true,
    gpu_types: [{ gpu_type: H100, total: 3, free: 1 }],
    running_attempts: 1,
    workloads: 1,
    shells: 1,
    last_heartbeat: null,
  });
  expect(json.gpus).toMatchObject([
    { uuid: "g1", healthy: true, given_to: place.id, mig_profile: null },
    // What failed has let go of it.
    { uuid: "g2", healthy: true, given_to: null },
    { uuid: "g3", healthy: false, quarantine_reason: "the GPU fell off the bus (Xid 79)", given_to: null },
  ]);
  expect(json.holds).toMatchObject([
    {
      assignment_id: place.id,
      kind: "deployment",
      service_id: service.id,
      service_name: service.name,
      deployment_id: deployment.id,
      deployment_tag: deployment.tag,
      shell_id: null,
      team_name: "team own",
      phase: "ready",
    },
    {
      kind: "shell",
      shell_id: shell.id,
      shell_name: shell.name,
      service_id: null,
      phase: "failed",
      failure: "no",
      gpu_uuids: ["g2"],
    },
  ]);
  expect(json.attempts).toEqual([
    {
      task_id: task.id,
      service_id: service.id,
      service_name: service.name,
      team_id: task.teamId,
      attempt: 1,
      assignment_id: place.id,
      started: "1970-01-01T00:01:00",
    },
  ]);
});

test("when a node was last seen, and why not since, is as the coordinator's links know it", async () => {
  await add(lost(aNode("cut-off", { gpus: [aGpu("u1"), aGpu("u2")] }), 5));
  expect((await send("GET", "nodes/cut-off")).json).toMatchObject({ last_heartbeat: null, why_unheard: null });
  const gpuReadings = new Map([["u1", { temperatureCelsius: 61, usedBytes: 7, utilisation: 0.5 }]]);
  const sighting = {
    lastSeenAt: 60_000,
    certificateEndsAt: 120_000,
    silenceReason: "its agent fell silent",
    gpuReadings,
  };
  const linked = await startHttp({ ...api.options, sightings: { sighting: () => sighting } });
  const { json } = await call(`${linked.url}/v1/nodes/cut-off`, { key: api.own.key });
  expect(json).toMatchObject({
    last_heartbeat: "1970-01-01T00:01:00",
    why_unheard: "its agent fell silent",
    certificate_ends: "1970-01-01T00:02:00",
    gpus: [
      { uuid: "u1", temperature_celsius: 61, memory_used_bytes: 7, utilisation: 0.5 },
      { uuid: "u2", temperature_celsius: null, memory_used_bytes: null, utilisation: null },
    ],
  });
  await linked.stop();
});

test("a node shows how fast its devices were measured to be, and their sum as its score", async () => {
  const speed = { msmPointsPerSecond: 2e8, nttElementsPerSecond: 8e8 };
  const cpuSpeed = { msmPointsPerSecond: 1e6, nttElementsPerSecond: 4e6 };
  const gpus = [aGpu("f1", { speed }), aGpu("f2", { speed }), aGpu("f3")];
  await add(lost(aNode("fast", { gpus, cpuSpeed }), 5), aNode("slow", { cpuSpeed }), aNode("not-measured"));
  const { json } = await send("GET", "nodes/fast");
  const record = { score: 400, msm_points_per_second: 2e8, ntt_elements_per_second: 8e8 };
  expect(json.score).toBe(800);
  expect(json.gpus.map((gpu) => gpu.speed)).toEqual([record, record, null]);
  expect(json.cpu_speed).toEqual({ score: 2, msm_points_per_second: 1e6, ntt_elements_per_second: 4e6 });
  expect((await send("GET", "nodes/slow")).json.score).toBe(2);
  expect((await send("GET", "nodes/not-measured")).json).toMatchObject({ score: null, cpu_speed: null });
  const cut = { gpus: Array.from({ length: 17 }, (_, n) => aGpu(`c${n}`)), cpuSpeed };
  await add(lost(aNode("cut", { ...cut, gpusScore: 680 }), 5), lost(aNode("cut-not-measured", cut), 5));
  expect((await send("GET", "nodes/cut")).json.score).toBe(680);
  expect((await send("GET", "nodes/cut-not-measured")).json.score).toBeNull();
});

test("a node drains until nothing is left there, and takes work again when it is resumed", async () => {
  await add(aNode("drains"));
  const place = anAssignment(aDeployment({ serviceId: "7".repeat(32) }), "drains", { id: "8".repeat(32) });
  await api.store.commit([create("assignments", place)]);
  const requested = await send("POST", "nodes/drains/drain");
  expect([requested.status, requested.json.state, requested.json.workloads]).toEqual([202, "DRAINING", 1]);
  expect(requested.json.drain).toEqual({
    asked: requested.json.since,
    asked_by: api.own.userId,
    asked_by_name: api.store.view.users.get(api.own.userId)?.value.name,
    stop_shells: false,
    spot: false,
  });
  const again = await send("POST", "nodes/drains/drain");
  expect([again.status, again.json]).toEqual([202, requested.json]);
  expect((await send("POST", "nodes/drains/drain?stop_shells=true")).json.drain?.stop_shells).toBe(true);
  const read = await api.store.get("assignments", place.id);
  if (read !== null) await api.store.commit([remove("assignments", read)]);
  expect(await namesOf("state=DRAINED")).toEqual(["drains"]);
  const resumed = await send("POST", "nodes/drains/resume");
  expect([resumed.status, resumed.json.state, resumed.json.drain]).toEqual([200, "READY", null]);
  expect((await send("POST", "nodes/drains/resume")).json).toEqual(resumed.json);
});

test("a quarantined node says why and until when, apart from its drain, and works once it is resumed", async () => {
  const at = Date.UTC(2026, 0, 1);
  await add(quarantined(aNode("bad"), "its agent sent too much", at));
  const { json } = await send("GET", "nodes/bad");
  const quarantine = {
    since: "2026-01-01T00:00:00",
    reason: "its agent sent too much",
    last_refused: "2026-01-01T00:00:00",
    ends: "2026-01-01T01:00:00",
  };
  expect(json).toMatchObject({ state: "DRAINED", drain: null, quarantine });
  const drained = await send("POST", "nodes/bad/drain");
  expect(drained.json).toMatchObject({ drain: { asked_by: api.own.userId }, quarantine });
  const resumed = await send("POST", "nodes/bad/resume");
  expect(resumed.json).toMatchObject({ state: "READY", drain: null, quarantine: null });
});

test("a drain that conflicts with another writer is retried, and nothing of either is lost", async () => {
  await add(aNode("crossed"));
  const relabel = async (zone: string) => {
    const read = await api.store.get("nodes", "crossed");
    if (read === null) return;
    const inventory = { ...read.value.inventory, labels: { zone } };
    await api.store.commit([replace("nodes", read, { ...read.value, inventory })]);
  };
  const zones = Array.from({ length: 20 }, (_, index) => `z${index}`);
  const [requested] = await Promise.all([send("POST", "nodes/crossed/drain"), ...zones.map(relabel)]);
  expect(requested.status).toBe(202);
  expect((await send("GET", "nodes/crossed")).json).toMatchObject({
    state: "DRAINED",
    labels: { zone: expect.any(String) },
  });
});

test("an unknown node and one that was evicted are refused clearly", async () => {
  await add(evicted(aNode("out"), 5), lost(aNode("away"), 5));
  for (const act of ["drain", "resume"]) {
    const { status, json } = await send("POST", `nodes/out/${act}`);
    expect([status, json.code]).toEqual([409, "node_gone"]);
    for (const id of ["nobody", "%00", "a".repeat(100)]) {
      expect((await send("POST", `nodes/${id}/${act}`)).status).toBe(404);
    }
  }
  expect((await send("GET", "nodes/out")).json.state).toBe("GONE");
  expect((await send("GET", "nodes/nobody")).status).toBe(404);
  // One that is away drains once it is back.
  const away = await send("POST", "nodes/away/drain");
  expect([away.json.state, away.json.drain?.stop_shells]).toEqual(["LOST", false]);
});

test("nodes are for keys with their scope only; every key sees the types of GPUs, and nothing of machines or teams", async () => {
  const { userId, teamId } = api.own;
  await add(aNode("secret-host", { gpus: [aGpu("secret-uuid")] }));
  const key = await addKey(api.store, { userId, defaultTeamId: teamId, scopes: ["tasks:read"] });
  for (const [method, path] of [
    ["GET", "nodes"],
    ["GET", "nodes/secret-host"],
    ["POST", "nodes/secret-host/drain"],
    ["POST", "nodes/secret-host/resume"],
    ["POST", "nodes/secret-host/evict"],
  ] as const) {
    expect([path, (await send(method, path, key)).json.code]).toEqual([path, "scope_missing"]);
  }
  const { status, json, text } = await send("GET", "gpu-types", key);
  expect(status).toBe(200);
  // Of the nodes that the tests here have made, those that respond; on one of them a GPU is assigned, and one is unhealthy.
  expect(json.items).toEqual([
    { gpu_type: H100, model: H100, memory_bytes: 80 * 2 ** 30, mig_profile: null, total: 5, free: 3 },
    { gpu_type: `${H100} 1g.10gb`, model: H100, memory_bytes: 80 * 2 ** 30, mig_profile: "1g.10gb", total: 1, free: 1 },
  ]);
  expect(text).not.toMatch(/secret|team|node/);
});
