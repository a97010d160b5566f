import { newId } from "@elastic/std/ids.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RollOutEvent, rollOutEvent, withEvents } from "../../domain/roll-out.ts";
import { rolledOut, rollOutFailed, type Service } from "../../domain/service.ts";
import { openEnv } from "../../secrets/deployment-env.ts";
import { remove, replace } from "../../store/change.ts";
import { type CallResponse, call } from "../testing/call.ts";
import { type HttpFixture, startHttpFixture } from "../testing/http-fixture.ts";

const PROVER = (digit: string) => `r:1/prover@sha256:${digit.repeat(64)}`;

let api: HttpFixture;

beforeAll(async () => {
  api = await startHttpFixture();
});
afterAll(() => api.close());

function send(method: string, path: string, body?: object): Promise<CallResponse> {
  const options = body === undefined ? {} : { body: JSON.stringify(body) };
  return call(`${api.url}/v1/services${path}`, { key: api.own.key, method, ...options });
}

async function newService(): Promise<string> {
  return (await send("POST", "", { service_name: `prover-${newId(Date.now())}` })).json.service_id;
}

/** Deploys an image; returns the deployment's id. */
async function deploy(serviceId: string, digit: string, more: object = {}): Promise<string> {
  api.image = { kind: "resolved", image: PROVER(digit), tag: `v${digit}` };
  return (await send("POST", `/${serviceId}/deployments`, { image: "r:1/prover", ...more })).json.deployment_id;
}

/** What the scheduler would do. */
async function end(id: string, deploymentId: string, event: RollOutEvent, next: (s: Service) => Service) {
  const service = await api.store.get("services", id);
  const rollOut = await api.store.get("roll-outs", deploymentId);
  if (service === null || rollOut === null) throw new Error("no such service or roll-out");
  await api.store.commit([
    replace("services", service, next(service.value)),
    replace("roll-outs", rollOut, withEvents(rollOut.value, [event])),
  ]);
}

function becomeReady(serviceId: string, deploymentId: string): Promise<void> {
  return end(serviceId, deploymentId, rollOutEvent("ready", Date.now()), rolledOut);
}

async function ready(serviceId: string, digit: string, more: object = {}): Promise<string> {
  const deploymentId = await deploy(serviceId, digit, more);
  await becomeReady(serviceId, deploymentId);
  return deploymentId;
}

describe("a rollback", () => {
  test("deploys again what was ready before, with the same digest, settings and environment", async () => {
    const id = await newService();
    const more = { env: { TOKEN: "s3cret" }, resources: { pids: 77 }, limits: { run_timeout_seconds: 9 } };
    const first = await ready(id, "1", more);
    await ready(id, "2");
    const { status, json, headers } = await send("POST", `/${id}/rollback`, {});
    expect(status).toBe(201);
    expect(json).toMatchObject({
      state: "Unready",
      stage: "resolved",
      image: PROVER("1"),
      tag: "v1",
      rollback_of: first,
      has_env: true,
      resources: { pids: 77 },
      limits: { run_timeout_seconds: 9 },
    });
    expect(headers.get("location")).toBe(`${api.url}/v1/services/${id}/deployments/${json.deployment_id}`);
    const [before, after] = [
      await api.store.get("deployments", first),
      await api.store.get("deployments", json.deployment_id),
    ];
    if (before === null || after === null) throw new Error("no such deployment");
    expect(after.value.sealedEnv).not.toBe(before.value.sealedEnv);
    expect(openEnv(api.secrets, after.value)).toEqual({ TOKEN: "s3cret" });
  });

  test("of a rollback goes forward again", async () => {
    const id = await newService();
    await ready(id, "1");
    const second = await ready(id, "2");
    await becomeReady(id, (await send("POST", `/${id}/rollback`, {})).json.deployment_id);
    expect((await send("POST", `/${id}/rollback`, {})).json).toMatchObject({ image: PROVER("2"), rollback_of: second });
  });

  test("passes over what never was ready, unless that is named", async () => {
    const id = await newService();
    const first = await ready(id, "1");
    const failure = { step: "checking", reason: "prover_error", message: "m", exitCode: 1, logTail: "" } as const;
    const bad = await deploy(id, "2");
    await end(id, bad, rollOutEvent("failed", Date.now(), { failure }), (service) => rollOutFailed(service, failure));
    await ready(id, "3");
    expect((await send("POST", `/${id}/rollback`, {})).json).toMatchObject({ rollback_of: first });
    expect((await send("POST", `/${id}/rollback`, { deployment_id: bad })).json).toMatchObject({ rollback_of: bad });
  });

  test("finds what was ready before, however many that never were have been deployed and forgotten since", async () => {
    const id = await newService();
    const before = await ready(id, "1");
    const current = await ready(id, "2");
    const failed: string[] = [];
    for (let n = 0; n < 60; n++) failed.push(await deploy(id, "3"));
    const stored = async (deploymentId: string) => (await api.store.get("deployments", deploymentId)) !== null;
    expect(await Promise.all([before, current].map(stored))).toEqual([true, true]);
    expect(await Promise.all(failed.map(stored))).toEqual(failed.map((_, n) => n >= 10));
    expect(await api.store.get("roll-outs", failed[0] ?? "")).toBeNull();
    expect((await send("GET", `/${id}/deployments?size=1`)).json.total).toBe(52);
    expect((await send("POST", `/${id}/rollback`, {})).json).toMatchObject({ rollback_of: before });
  });

  test("is refused where there is nothing to go back to", async () => {
    const id = await newService();
    const none = await send("POST", `/${id}/rollback`, {});
    expect([none.status, none.json.code]).toEqual([409, "no_earlier_deployment"]);
    await ready(id, "1");
    expect((await send("POST", `/${id}/rollback`, {})).json.code).toBe("no_earlier_deployment");
    const elsewhere = await ready(await newService(), "1");
    for (const named of [elsewhere, "0".repeat(32), "x", ""]) {
      const response = await send("POST", `/${id}/rollback`, { deployment_id: named });
      expect([response.status, response.json.errors[0]?.pointer]).toEqual([422, "#/deployment_id"]);
    }
    await send("DELETE", `/${id}`);
    expect((await send("POST", `/${id}/rollback`, {})).json.code).toBe("service_deleted");
  });

  test("says so when the environment can no longer be read", async () => {
    const id = await newService();
    const first = await ready(id, "1", { env: { A: "b" } });
    await ready(id, "2");
    const read = await api.store.get("deployments", first);
    if (read === null) throw new Error("no such deployment");
    const sealedEnv = read.value.sealedEnv?.replace(/^v1\.[^.]+/, "v1.gone") ?? null;
    await api.store.commit([replace("deployments", read, { ...read.value, sealedEnv })]);
    const response = await send("POST", `/${id}/rollback`, {});
    expect([response.status, response.json.code]).toEqual([409, "environment_lost"]);
  });

  test("says so when the volume was deleted", async () => {
    const id = await newService();
    const volume = { manifestSha256: "0".repeat(64), manifestBytes: 1 };
    const first = await ready(id, "1");
    await ready(id, "2");
    const read = await api.store.get("deployments", first);
    if (read === null) throw new Error("no such deployment");
    const gone = { ...read.value, volume: { id: "f".repeat(32), ...volume } };
    await api.store.commit([replace("deployments", read, gone)]);
    const response = await send("POST", `/${id}/rollback`, {});
    expect([response.status, response.json.code]).toEqual([409, "volume_deleted"]);
  });
});

test("a deployment that takes the place of one coming up ends that one's account, and so does a deletion", async () => {
  const id = await newService();
  const first = await deploy(id, "1");
  const second = await deploy(id, "2");
  const stage = async (of: string) => (await send("GET", `/${id}/deployments/${of}`)).json;
  expect(await stage(first)).toMatchObject({ stage: "cancelled", state: "Retired", failure: null });
  expect(await stage(second)).toMatchObject({ stage: "resolved", state: "Unready" });
  await send("DELETE", `/${id}`);
  expect(await stage(second)).toMatchObject({ stage: "cancelled", stage_note: "the service was deleted" });
});

test("a deployment without an account is shown by what its service says", async () => {
  const id = await newService();
  const first = await ready(id, "1");
  const rollOut = await api.store.get("roll-outs", first);
  if (rollOut === null) throw new Error("no such roll-out");
  await api.store.commit([remove("roll-outs", rollOut)]);
  expect((await send("GET", `/${id}/deployments/${first}`)).json).toMatchObject({ stage: "ready", state: "Ready" });
});
