import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readPublicKey } from "../../auth/authorized-key.ts";
import { comingUp, failed, ready, type Shell } from "../../domain/shell.ts";
import { aGpu, aNode } from "../../domain/testing/records.ts";
import { openShellPassword } from "../../secrets/shell-password.ts";
import { RecordDirectory } from "../../shells/record-directory.ts";
import { create, remove, replace } from "../../store/change.ts";
import { startHttp } from "../server.ts";
import { type CallResponse, call } from "../testing/call.ts";
import { addKey, GATEWAY_KEY, type HttpFixture, startHttpFixture } from "../testing/http-fixture.ts";

let api: HttpFixture;

beforeAll(async () => {
  api = await startHttpFixture();
});
afterAll(() => api.close());

function send(method: string, path = "", body?: object, key = api.own.key): Promise<CallResponse> {
  return call(`${api.url}/v1/shells${path}`, { key, method, ...(body && { body: JSON.stringify(body) }) });
}

async function newShell(body: object = {}): Promise<string> {
  const { status, json } = await send("POST", "", body);
  expect(status).toBe(202);
  return json.shell_id;
}

async function happen(id: string, next: (shell: Shell) => Shell): Promise<void> {
  const before = await api.store.get("shells", id);
  if (before === null) throw new Error("no such shell");
  await api.store.commit([replace("shells", before, next(before.value))]);
}

describe("a shell", () => {
  test("is created with a name of its id and a password that only its own record shows", async () => {
    const created = await send("POST", "", {});
    expect(created.status).toBe(202);
    expect(created.headers.get("location")).toBe(`${api.url}/v1/shells/${created.json.shell_id}`);
    expect(created.json).toMatchObject({
      shell_name: `shell-${created.json.shell_id.slice(-8)}`,
      state: "CREATING",
      team_name: "team own",
      username: created.json.shell_id,
      hostname: "shells.example",
      port: 2222,
      host_key: GATEWAY_KEY,
      host_key_fingerprint: expect.stringMatching(/^SHA256:[A-Za-z0-9+/]{43}$/),
      image: "base",
      gpu_type: null,
      gpu_count: 0,
      idle_stop_seconds: 3600,
    });
    const shown = await send("GET", `/${created.json.shell_id}`);
    // 32 of 32 letters: 160 bits.
    expect(shown.json.password).toMatch(/^[a-km-np-z2-9]{32}$/);
    const { password } = shown.json;
    const listed = await send("GET");
    expect(created.text + listed.text).not.toContain(password);
    expect(JSON.stringify(await api.store.get("shells", created.json.shell_id))).not.toContain(password);
    expect((await send("GET", `/${await newShell()}`)).json.password).not.toBe(password);
  });

  test("is read without its password where the request leaves it out", async () => {
    const id = await newShell();
    expect((await send("GET", `/${id}?with_password=false`)).json).toMatchObject({ shell_id: id, password: null });
    expect((await send("GET", `/${id}?with_password=true`)).json.password).not.toBeNull();
    expect((await send("GET", `/${id}?with_password=no`)).status).toBe(422);
  });

  test("may have what the installation offers", async () => {
    const offer = await call(`${api.url}/v1/shell-offer`, { key: api.own.key });
    expect(JSON.parse(offer.text)).toEqual({ images: ["base"], egress: ["*.crates.io:443"] });
  });

  test("may be opened by keys alone: then nobody is shown a password, and none opens it", async () => {
    const id = await newShell({ password_login: false });
    expect((await send("GET", `/${id}`)).json).toMatchObject({ password_login: false, password: null });
    const directory = new RecordDirectory({ ...api.options, store: api.store });
    const shell = await api.store.get("shells", id);
    if (shell === null) throw new Error("no such shell");
    const password = openShellPassword(api.options.secrets, shell.value);
    expect(directory.find(id)?.passwordMatches(password)).toBe(false);
    await happen(id, (before) => ({ ...before, passwordLogin: true }));
    expect(directory.find(id)?.passwordMatches(password)).toBe(true);
  });

  test("is opened by a member's key, until the member is a viewer", async () => {
    const { type, blob, fingerprint } = readPublicKey(GATEWAY_KEY);
    const key = { id: fingerprint, type, blob, fingerprint, name: "laptop", createdAt: 0 };
    await api.store.commit([
      create("users", { id: "grace", name: "grace", createdAt: 0, authorizedKeys: [key] }),
      create("memberships", { userId: "grace", teamId: api.own.teamId, role: "member", createdAt: 0 }),
    ]);
    const directory = new RecordDirectory({ ...api.options, store: api.store });
    const stop = directory.start();
    const opens = () => [
      directory.keyOf(api.own.teamId, blob)?.userId,
      directory.hasKey(api.own.teamId, "grace", key.id),
    ];
    expect(opens()).toEqual(["grace", true]);
    const before = await api.store.get("memberships", `grace/${api.own.teamId}`);
    if (before === null) throw new Error("no membership");
    await api.store.commit([replace("memberships", before, { ...before.value, role: "viewer" })]);
    expect(opens()).toEqual([undefined, false]);
    stop();
  });

  test("is opened by a ticket once, for the client's key, while the access key that it was given to is valid", async () => {
    const id = await newShell();
    const body = { client_key: GATEWAY_KEY };
    const refused = await send("POST", `/${id}/ssh-tickets`, body);
    expect([refused.status, refused.json.code]).toEqual([409, "shell_not_ready"]);
    await happen(id, (shell) => ready(shell, Date.now()));
    const directory = new RecordDirectory({ ...api.options, store: api.store });
    const { userId, teamId } = api.own;
    const key = await addKey(api.store, { userId, defaultTeamId: teamId, scopes: ["shells"] });
    const ticket = async () => {
      const given = await send("POST", `/${id}/ssh-tickets`, body, key);
      expect(given).toMatchObject({ status: 201, json: { expires: expect.any(String) } });
      return String((JSON.parse(given.text) as { readonly ticket: string }).ticket);
    };
    const [first, second] = [await ticket(), await ticket()];
    const { type, blob } = readPublicKey(GATEWAY_KEY);
    const used = await directory.useTicket(first);
    expect(used).toMatchObject({ shellId: id, userId, clientKey: `${type} ${blob}` });
    expect(await directory.useTicket(first)).toBeNull();
    expect(directory.mayConnect(teamId, used?.keyId ?? "")).toBe(true);
    expect(directory.mayConnect(api.other.teamId, used?.keyId ?? "")).toBe(false);
    expect((await call(`${api.url}/v1/keys/${used?.keyId}`, { method: "DELETE", key: api.own.key })).status).toBe(204);
    expect(directory.mayConnect(teamId, used?.keyId ?? "")).toBe(false);
    expect(await directory.useTicket(second)).toBeNull();
  });

  test("gives no ticket to another team, without the scope, or for what is no public key", async () => {
    const id = await newShell();
    await happen(id, (shell) => ready(shell, Date.now()));
    const body = { client_key: GATEWAY_KEY };
    const { userId, teamId } = api.own;
    const narrow = await addKey(api.store, { userId, defaultTeamId: teamId, scopes: ["services"] });
    const statuses = [
      (await send("POST", `/${id}/ssh-tickets`, body, api.other.key)).status,
      (await send("POST", `/${id}/ssh-tickets`, body, narrow)).status,
      (await send("POST", `/${id}/ssh-tickets`, { client_key: "ssh-ed25519 AAAA" })).status,
      (await send("POST", `/${id}/ssh-tickets`, {})).status,
    ];
    expect(statuses).toEqual([404, 403, 422, 422]);
  });

  test("stops and starts, and says what it waits for and why it failed", async () => {
    const id = await newShell({ gpu_type: "H100" });
    await happen(id, (shell) => comingUp(shell, "a node with room", Date.now()));
    expect((await send("GET", `/${id}`)).json).toMatchObject({ waiting_for: "a node with room", gpu_count: 1 });
    await happen(id, (shell) => ready(shell, Date.now()));
    expect((await send("GET", `/${id}`)).json).toMatchObject({ state: "READY", expires: expect.any(String) });
    const stopped = await send("POST", `/${id}/stop`);
    expect([stopped.status, stopped.json.state, stopped.json.stopped_by]).toEqual([202, "STOPPED", "user"]);
    expect([stopped.json.expires, (await send("POST", `/${id}/stop`)).status]).toEqual([null, 202]);
    expect((await send("POST", `/${id}/start`)).json.state).toBe("CREATING");
    await happen(id, (shell) => failed(shell, "image_unavailable", "no such image", Date.now()));
    expect((await send("GET", `/${id}`)).json).toMatchObject({
      state: "FAILED",
      failure: { reason: "image_unavailable", message: "no such image" },
    });
  });

  test("that is deleted stays readable without its password, leaves the list, and does not start", async () => {
    const id = await newShell();
    expect((await send("DELETE", `/${id}`)).status).toBe(204);
    expect((await send("DELETE", `/${id}`)).status).toBe(204);
    expect((await send("GET", `/${id}`)).json).toMatchObject({ state: "DELETED", password: null });
    expect((await send("GET", "?size=100")).text).not.toContain(id);
    for (const act of ["start", "stop"]) {
      const refused = await send("POST", `/${id}/${act}`);
      expect([refused.status, refused.json.code]).toEqual([409, "shell_deleted"]);
    }
  });

  test("is nobody else's, and takes a key for shells", async () => {
    const id = await newShell();
    for (const [method, path] of [
      ["GET", ""],
      ["DELETE", ""],
      ["POST", "/stop"],
      ["POST", "/start"],
    ] as const) {
      expect((await send(method, `/${id}${path}`, undefined, api.other.key)).status).toBe(404);
    }
    const { userId, teamId } = api.own;
    const narrow = await addKey(api.store, { userId, defaultTeamId: teamId, scopes: ["services"] });
    expect((await send("GET", `/${id}`, undefined, narrow)).status).toBe(403);
  });

  test("is refused for what is out of bounds", async () => {
    const wrong: [object, string][] = [
      [{ shell_name: "a b" }, "#/shell_name"],
      [{ image: "none" }, "#/image"],
      [{ gpu_type: "" }, "#/gpu_type"],
      [{ gpu_count: 17 }, "#/gpu_count"],
      [{ home_bytes: 1 }, "#/home_bytes"],
      [{ idle_stop_seconds: 1 }, "#/idle_stop_seconds"],
      [{ longest_life_seconds: 1e9 }, "#/longest_life_seconds"],
      [{ ports: [22] }, "#/ports"],
    ];
    for (const [body, pointer] of wrong) {
      const response = await send("POST", "", body);
      expect([body, response.status, response.json.errors?.[0]?.pointer]).toEqual([body, 422, pointer]);
    }
  });

  test("connects where it requests to, within what the installation allows", async () => {
    const made = await send("POST", "", { egress: ["Static.crates.io", "*.index.crates.io:443"] });
    expect(made.json.egress).toEqual(["static.crates.io:443", "*.index.crates.io:443"]);
    expect((await send("POST", "", {})).json.egress).toEqual([]);
    for (const [requested, detail] of [
      ["crates.io", "crates.io:443 is not within *.crates.io:443"],
      ["a.crates.io:80", "a.crates.io:80 is not within *.crates.io:443"],
      ["*", "*:443 is not within *.crates.io:443"],
      ["http://a.crates.io", "no host, host:port, *.domain or *"],
    ]) {
      const refused = await send("POST", "", { egress: ["a.crates.io", requested] });
      expect([refused.status, refused.json.errors]).toEqual([422, [{ pointer: "#/egress/1", detail }]]);
    }
    const none = await startHttp({ ...api.options, shells: { ...api.options.shells, egress: [] } });
    const body = JSON.stringify({ egress: ["a.crates.io"] });
    const refused = await call(`${none.url}/v1/shells`, { key: api.own.key, body });
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining("shells reach nothing")]);
    await none.stop();
  });

  test("is refused with a type of GPU that no machine has, with the available types", async () => {
    const node = aNode("a", { gpus: [aGpu("g1"), { ...aGpu("g2"), model: "NVIDIA L4" }] });
    await api.store.commit([create("nodes", node)]);
    const refused = await send("POST", "", { gpu_type: "H1000" });
    expect([refused.status, refused.json.errors]).toEqual([
      422,
      [{ pointer: "#/gpu_type", detail: expect.stringMatching(/has 1 GPU of H1000; there are .*H100.*, NVIDIA L4$/) }],
    ]);
    expect((await send("POST", "", { gpu_type: "L4" })).status).toBe(202);
    const made = await api.store.get("nodes", "a");
    if (made !== null) await api.store.commit([remove("nodes", made)]);
  });

  test("with a label that no machine has says so in the response to its creation, and keeps the message", async () => {
    const engine = { name: "docker", version: "27" };
    await api.store.commit([create("nodes", aNode("a", { engine, labels: { zone: "b" } }))]);
    const created = await send("POST", "", { node_labels: { zone: "c" } });
    const waitingFor = "another machine: no machine of the fleet has the labels zone=c";
    expect(created.json).toMatchObject({ state: "CREATING", waiting_for: waitingFor });
    expect((await send("GET", `/${created.json.shell_id}`)).json).toMatchObject({ waiting_for: waitingFor });
    expect((await send("POST", "", { node_labels: { zone: "b" } })).json).toMatchObject({ waiting_for: null });
    const made = await api.store.get("nodes", "a");
    if (made !== null) await api.store.commit([remove("nodes", made)]);
  });

  test("is refused beyond the team's quota, and where none are offered", async () => {
    const { config } = api.options;
    const few = await startHttp({ ...api.options, config: { ...config, quotas: { shellsPerTeam: 1 } } });
    await newShell();
    const refused = await call(`${few.url}/v1/shells`, { key: api.own.key, body: "{}" });
    expect([refused.status, refused.json.code]).toEqual([429, "quota_exceeded"]);
    await few.stop();
    const none = await startHttp({ ...api.options, shells: { ...api.options.shells, images: new Map() } });
    const offered = await call(`${none.url}/v1/shells`, { key: api.own.key, body: "{}" });
    expect([offered.status, offered.json.code]).toEqual([409, "no_shells"]);
    await none.stop();
  });
});
