import { newId } from "@elastic/std/ids.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { deleted, rolledOut, rollOutFailed, type Service } from "../../domain/service.ts";
import { ENV_BYTES_MAX } from "../../public/deployment-request.ts";
import { openEnv } from "../../secrets/deployment-env.ts";
import { replace } from "../../store/change.ts";
import { type CallResponse, call } from "../testing/call.ts";
import { addReadyService, addTenant, type HttpFixture, startHttpFixture } from "../testing/http-fixture.ts";
import { startSecondCoordinator } from "../testing/second-coordinator.ts";

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

async function change(id: string, next: (service: Service) => Service): Promise<void> {
  const before = await api.store.get("services", id);
  if (before === null) throw new Error("no service");
  await api.store.commit([replace("services", before, next(before.value))]);
}

describe("a service", () => {
  test("has the fields of the specification from the start", async () => {
    const { status, json, headers } = await send("POST", "", { service_name: "my.Prover_1" });
    expect(status).toBe(201);
    expect(headers.get("location")).toBe(json.service_url);
    expect(json).toEqual({
      service_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      service_name: "my.Prover_1",
      team_id: api.own.teamId,
      team_name: "team own",
      creator_id: api.own.userId,
      state: "Unready",
      created: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/),
      service_url: `${api.url}/v1/services/${json.service_id}`,
      image: null,
      image_tag: null,
      current_deployment_id: null,
      next_deployment_id: null,
      failure: null,
      waiting: null,
      result_retention_seconds: 604_800,
    });
    expect((await send("GET", `/${json.service_id}`)).json).toEqual(json);
  });

  test("goes from Unready to Ready, or to Failed with the reason, and can be deployed again", async () => {
    const id = await newService();
    const first = await send("POST", `/${id}/deployments`, { image: "builtin:noop", tag: "v1" });
    expect((await send("GET", `/${id}`)).json).toMatchObject({
      state: "Unready",
      image_tag: "v1",
      next_deployment_id: first.json.deployment_id,
    });
    await change(id, (service) =>
      rollOutFailed(service, { step: "pulling", reason: "image_unavailable", message: "no such image" }),
    );
    expect((await send("GET", `/${id}`)).json).toMatchObject({
      state: "Failed",
      failure: { reason: "image_unavailable", message: "no such image" },
    });
    const refused = await send("POST", `/${id}`, { input: 1 });
    expect([refused.status, refused.json.code]).toEqual([409, "service_not_ready"]);
    expect(refused.json.detail).toContain("no such image");
    const second = await send("POST", `/${id}/deployments`, { image: "builtin:noop", tag: "v2" });
    await change(id, rolledOut);
    expect((await send("GET", `/${id}`)).json).toMatchObject({ state: "Ready", image_tag: "v2", failure: null });
    const states = (await send("GET", `/${id}/deployments`)).json.items.map((one: { state: string }) => one.state);
    expect(states.sort()).toEqual(["Ready", "Retired"]);
    expect((await send("GET", `/${id}/deployments/${first.json.deployment_id}`)).json.state).toBe("Retired");
    expect((await send("GET", `/${id}/deployments/${second.json.deployment_id}`)).json.state).toBe("Ready");
  });

  test("that is ready stays so when a later deployment fails, and the deployment says why", async () => {
    const id = await newService();
    await send("POST", `/${id}/deployments`, { image: "builtin:noop", tag: "good" });
    await change(id, rolledOut);
    const bad = await send("POST", `/${id}/deployments`, { image: "builtin:noop", tag: "bad" });
    await change(id, (service) =>
      rollOutFailed(service, { step: "checking", reason: "start_timeout", message: "it never listened" }),
    );
    expect((await send("GET", `/${id}`)).json).toMatchObject({ state: "Ready", image_tag: "good" });
    expect((await send("GET", `/${id}/deployments/${bad.json.deployment_id}`)).json).toMatchObject({
      state: "Failed",
      failure: { reason: "start_timeout", message: "it never listened" },
    });
  });

  test("that is deleted stays readable, leaves the list, and takes no deployment", async () => {
    const id = await newService();
    expect((await send("DELETE", `/${id}`)).status).toBe(204);
    expect((await send("DELETE", `/${id}`)).status).toBe(204);
    expect((await send("GET", `/${id}`)).json.state).toBe("Deleted");
    expect((await send("GET", "?size=100")).text).not.toContain(id);
    const deploying = await send("POST", `/${id}/deployments`, { image: "builtin:noop" });
    expect([deploying.status, deploying.json.code]).toEqual([409, "service_deleted"]);
  });

  describe("has a name of its team that no other has", () => {
    const made = async (name: string, key = api.own.key, url = api.url) =>
      await call(`${url}/v1/services`, { key, body: JSON.stringify({ service_name: name }) });

    test("whatever its case, until it is deleted, and in each team again", async () => {
      const first = await made("Sudoku");
      expect(first.status).toBe(201);
      for (const name of ["Sudoku", "sudoku", "SUDOKU"]) {
        const { status, json } = await made(name);
        expect([name, status, json.code, json.errors[0]?.pointer]).toEqual([
          name,
          409,
          "service_name_taken",
          "#/service_name",
        ]);
        expect(json.detail).toContain(`The team has a service named Sudoku (${first.json.service_id}).`);
      }
      expect((await made("sudoku", api.other.key)).status).toBe(201);
      expect((await send("DELETE", `/${first.json.service_id}`)).status).toBe(204);
      expect(await api.store.get("service-names", `${api.own.teamId}/sudoku`)).toBeNull();
      expect((await made("sudoku")).status).toBe(201);
      expect((await made("Sudoku")).status).toBe(409);
    });

    test("however many create it at the same time, at two coordinators", async () => {
      await using second = await startSecondCoordinator(api);
      const names = Array.from({ length: 32 }, (_, n) => (n % 2 === 0 ? "race" : "Race"));
      const statuses = await Promise.all(
        names.map(async (name, n) => (await made(name, api.own.key, n % 4 < 2 ? api.url : second.url)).status),
      );
      expect(statuses.sort()).toEqual([201, ...Array.from({ length: 31 }, () => 409)]);
    });

    test("though it was created before names were claimed, with others of that name, which stay", async () => {
      const tenant = await addTenant(api.store, "early");
      const [one, two] = [await addReadyService(api.store, tenant), await addReadyService(api.store, tenant)];
      expect([one.name, two.name]).toEqual(["prover", "prover"]);
      expect((await made("Prover", tenant.key)).status).toBe(409);
      const prove = (id: string) => call(`${api.url}/v1/services/${id}`, { key: tenant.key, body: '{"input":1}' });
      expect([(await prove(one.id)).status, (await prove(two.id)).status]).toEqual([201, 201]);
      const end = (id: string) => call(`${api.url}/v1/services/${id}`, { key: tenant.key, method: "DELETE" });
      expect((await end(one.id)).status).toBe(204);
      expect((await made("prover", tenant.key)).status).toBe(409);
      expect((await end(two.id)).status).toBe(204);
      expect((await made("prover", tenant.key)).status).toBe(201);
    });

    test("and is not blocked by a claim that was left behind", async () => {
      const { service_id: id } = (await made("ghost")).json;
      await change(id, (service) => deleted(service, Date.now()));
      expect((await made("Ghost")).status).toBe(201);
    });
  });

  test("has a name without surprises", async () => {
    for (const name of ["", " a", "a b", "-a", "a/b", "../a", "a\u202eb", "a\u001b[31m", "é", "a".repeat(64)]) {
      expect([name, (await send("POST", "", { service_name: name })).status]).toEqual([name, 422]);
    }
  });
});

describe("a deployment", () => {
  async function deploy(body: object): Promise<CallResponse> {
    return send("POST", `/${await newService()}/deployments`, { image: "builtin:noop", ...body });
  }

  test("has defaults for whatever is left out, and keeps what is said", async () => {
    const plain = await deploy({});
    expect(plain.status).toBe(201);
    expect(plain.json).toMatchObject({
      state: "Unready",
      image: "builtin:noop",
      tag: "latest",
      has_env: false,
      scaling: { min: 1, max: 1 },
      limits: { run_timeout_seconds: 3600, start_timeout_seconds: 600, concurrency: 1, prover_retries: 0 },
    });
    const said = await deploy({
      tag: "v1",
      resources: { cpu_millis: 2500, memory_bytes: 64 << 20 },
      scaling: { min: 2 },
      limits: { run_timeout_seconds: 5, prover_retries: 5 },
    });
    expect(said.json).toMatchObject({
      tag: "v1",
      resources: { cpu_millis: 2500, memory_bytes: 64 << 20, pids: 512 },
      scaling: { min: 2, max: 2 },
      limits: { run_timeout_seconds: 5, prover_retries: 5 },
    });
  });

  test("keeps its environment sealed: it is in no response and in no record", async () => {
    api.image = { kind: "resolved", image: `r:1/p@sha256:${"0".repeat(64)}`, tag: "v3" };
    const { json, text } = await deploy({ env: { TOKEN: "s3cret-value" } });
    api.image = { kind: "resolved", image: "builtin:noop", tag: null };
    expect(json).toMatchObject({ has_env: true, tag: "v3" });
    const record = await api.store.get("deployments", json.deployment_id);
    expect(text + JSON.stringify(record)).not.toContain("s3cret-value");
    if (record === null) throw new Error("no record");
    expect(openEnv(api.secrets, record.value)).toEqual({ TOKEN: "s3cret-value" });
  });

  test("takes an environment up to the limit, which fits its record", async () => {
    api.image = { kind: "resolved", image: `r:1/${"p".repeat(250)}@sha256:${"0".repeat(64)}`, tag: "v3" };
    const full = { A: "x".repeat(ENV_BYTES_MAX - JSON.stringify({ A: "" }).length) };
    const taken = await deploy({ env: full });
    api.image = { kind: "resolved", image: "builtin:noop", tag: null };
    expect(taken.status).toBe(201);
    const response = await deploy({ env: { A: `${full.A}x` } });
    expect([response.status, response.json.errors[0]?.pointer]).toEqual([422, "#/env"]);
  });

  test("is refused for settings out of bounds", async () => {
    const wrong: [object, string][] = [
      [{ image: "" }, "#/image"],
      [{ image: 7 }, "#/image"],
      [{ tag: "-v" }, "#/tag"],
      [{ env: { "": "x" } }, "#/env/"],
      [{ env: { "=a": "x" } }, "#/env/=a"],
      [{ env: { LD_PRELOAD: "x" } }, "#/env/LD_PRELOAD"],
      [{ env: { NVIDIA_VISIBLE_DEVICES: "all" } }, "#/env/NVIDIA_VISIBLE_DEVICES"],
      [{ env: { PORT: "1" } }, "#/env/PORT"],
      [{ env: { HOME: "/" } }, "#/env/HOME"],
      [{ env: { TMPDIR: "/" } }, "#/env/TMPDIR"],
      [{ env: { GLIBC_TUNABLES: "x" } }, "#/env/GLIBC_TUNABLES"],
      [{ env: { GCONV_PATH: "x" } }, "#/env/GCONV_PATH"],
      [{ env: { LOCPATH: "x" } }, "#/env/LOCPATH"],
      [{ env: { NLSPATH: "x" } }, "#/env/NLSPATH"],
      [{ env: { HOSTALIASES: "x" } }, "#/env/HOSTALIASES"],
      [{ env: { RES_OPTIONS: "x" } }, "#/env/RES_OPTIONS"],
      [{ env: { ELASTIC_INPUT_BYTES_MAX: "1" } }, "#/env/ELASTIC_INPUT_BYTES_MAX"],
      [{ env: { "a-b": "x" } }, "#/env/a-b"],
      [{ env: JSON.parse('{"__proto__":"x"}') }, "#/env/__proto__"],
      [{ env: { A: "a\0b" } }, "#/env/A"],
      [{ env: { A: "x".repeat(5000) } }, "#/env"],
      [{ env: { A: "x" } }, "#/env"],
      [{ resources: { cpu_millis: 0 } }, "#/resources/cpu_millis"],
      [{ resources: { memory_bytes: 1e300 } }, "#/resources/memory_bytes"],
      [{ scaling: { min: 3, max: 2 } }, "#/scaling"],
      [{ limits: { run_timeout_seconds: 86_401 } }, "#/limits/run_timeout_seconds"],
      [{ limits: { prover_retries: 6 } }, "#/limits/prover_retries"],
      [{ replicas: 3 }, "#/replicas"],
      [{ "a/b~c": 3 }, "#/a~1b~0c"],
      [JSON.parse('{"__proto__":{}}'), "#/__proto__"],
      [{ resources: { gpus: 3 } }, "#/resources/gpus"],
      [{ scaling: { maximum: 3 } }, "#/scaling/maximum"],
      [{ limits: { runtime: 3 } }, "#/limits/runtime"],
    ];
    for (const [body, pointer] of wrong) {
      const response = await deploy(body);
      expect([body, response.status, response.json.errors?.[0]?.pointer]).toEqual([body, 422, pointer]);
    }
  });

  test("is refused with the reason for a name that is invalid in an environment", async () => {
    const response = await deploy({ env: { HOME: "/", "a-b": "x" } });
    expect(response.json.errors).toEqual([
      { pointer: "#/env/HOME", detail: "this name is set by the platform" },
      { pointer: "#/env/a-b", detail: "a name of letters, digits and underscores" },
    ]);
  });

  test("is refused for an image that is not available, with a code for each reason", async () => {
    const cases = [
      [{ kind: "refused", code: "image_not_found", detail: "no such image" }, 422, "image_not_found"],
      [{ kind: "refused", code: "image_invalid", detail: "not a name" }, 422, "image_invalid"],
      [{ kind: "refused", code: "registry_not_allowed", detail: "not from there" }, 422, "registry_not_allowed"],
      [{ kind: "unavailable", detail: "away" }, 503, "registry_unavailable"],
    ] as const;
    for (const [image, status, code] of cases) {
      api.image = image;
      const response = await deploy({ image: "r:1/p:v1" });
      expect([response.status, response.json.code, response.json.detail]).toEqual([status, code, image.detail]);
    }
    api.image = { kind: "resolved", image: "builtin:noop", tag: null };
  });
});
