/** From the local engine through the service's own registry to a node, with what each side may do on the way. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { channelsOf } from "@elastic/agent/link/channel.ts";
import { requestPullRights } from "@elastic/agent/link/pull-rights.ts";
import { buildImage } from "@elastic/deploy/local/image.ts";
import Docker from "dockerode";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ApiClient } from "../cluster/api-client.ts";
import { makeCertificates } from "../cluster/certificates.ts";
import { type Cluster, startCluster } from "../cluster/cluster.ts";
import { whyNoEngineHere } from "../cluster/engine.ts";
import { ociClient } from "../cluster/oci-client.ts";
import { type UserCommand, userCommand } from "../cluster/user-command.ts";

const noEngine = await whyNoEngineHere();

let cluster: Cluster;
let client: ApiClient;
let docker: Docker;
let elastic: UserCommand;
let serviceId: string;

beforeAll(async () => {
  if (noEngine !== null) return;
  cluster = await startCluster({ engine: true, agents: 0 });
  client = cluster.client();
  const engineSocket = cluster.engine?.socket ?? "";
  docker = new Docker({ socketPath: engineSocket });
  await buildImage(engineSocket, "misbehave", "misbehave:base");
  const folder = join(cluster.folder, "user");
  elastic = userCommand({ folder, url: client.url, key: client.key, engineSocket });
  serviceId = JSON.parse((await elastic("service", "create", "mirror", "--json")).stdout).service_id;
}, 120_000);
afterAll(() => cluster?.[Symbol.asyncDispose]());

/** A prover on the layers of another; `file` makes a further layer. */
async function build(name: string, mode: string, file: string | null): Promise<void> {
  const context = join(cluster.folder, "context");
  mkdirSync(context, { recursive: true });
  writeFileSync(join(context, "file"), file ?? "");
  const copy = file === null ? "" : "COPY file /file\n";
  writeFileSync(join(context, "Dockerfile"), `FROM misbehave:base\n${copy}ENV MISBEHAVE=${mode}\n`);
  const events = await docker.buildImage({ context, src: ["Dockerfile", "file"] }, { t: name });
  await new Promise((resolve, reject) =>
    docker.modem.followProgress(events, (error) => (error ? reject(error) : resolve(null))),
  );
}

/** So that whoever runs it has to pull it. */
async function forget(name: string): Promise<void> {
  const { Id } = await docker.getImage(name).inspect();
  await docker.getImage(Id).remove({ force: true });
}

async function imageOf(): Promise<string> {
  const { json } = await client.call(`/v1/services/${serviceId}`);
  return (json as { readonly image: string }).image;
}

describe.skipIf(noEngine !== null)("an image that only this machine's engine has", { timeout: 240_000 }, () => {
  test("is pushed, pulled by a node that has it not, and serves", async () => {
    await build("mirror:dev", "echo", "first");
    const ran = await elastic("deploy", "--image", "mirror:dev", "--tag", "v1", "--no-wait");
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringMatching(/Pushed 2 layers \(.* MB\)\.\n/) });
    expect(await imageOf()).toMatch(new RegExp(`^${cluster.registry?.host}/${cluster.firstKey.teamId}/mirror@sha256:`));
    await forget("mirror:dev");
    await cluster.addAgent({ ELASTIC_SLOTS: "2" });
    await client.serviceIs(serviceId, "Ready");
    expect(await client.prove(serviceId, '"hello"')).toMatchObject({ result: "hello", failure: null });
  });

  test("sends no layer that the registry has, and waits until it serves", async () => {
    await build("mirror:next", "echo", "second");
    const ran = await elastic("deploy", "--image", "mirror:next");
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Ready\. Endpoint: /) });
    expect(ran.stderr).toMatch(/Pushed 1 layer \(.*\), 1 layer in the registry already\.\n/);
    const again = await elastic("deploy", "--image", "mirror:next");
    expect(again.stderr).toContain("Pushed 0 layers (0 B), 2 layers in the registry already.\n");
  });

  test("continues to serve when its tag is moved to another image", async () => {
    await build("mirror:good", "echo", "third");
    expect((await elastic("deploy", "--image", "mirror:good", "--tag", "stable")).code).toBe(0);
    const deployed = await imageOf();
    await build("mirror:evil", "500", "fourth");
    const repository = `${cluster.registry?.host}/${cluster.firstKey.teamId}/mirror`;
    await docker.getImage("mirror:evil").tag({ repo: repository, tag: "stable" });
    const authconfig = { username: "any", password: client.key, serveraddress: "" };
    const pushed = await docker.getImage(`${repository}:stable`).push({ authconfig });
    await new Promise((resolve) => docker.modem.followProgress(pushed, resolve));

    // Its container ends, and what is started in its place is looked up again.
    await forget("mirror:evil");
    const workloads = await docker.listContainers({ filters: { ancestor: [deployed] } });
    expect(workloads).toHaveLength(1);
    await docker.getContainer(workloads[0]?.Id ?? "").kill();
    expect(await client.prove(serviceId, '"still"')).toMatchObject({ result: "still", failure: null });
    expect(await imageOf()).toBe(deployed);
  });

  test("and which its engine has not is reported in one line", async () => {
    const ran = await elastic("deploy", "--image", "nobody/built:this");
    expect(ran).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(/^error: .*has no image.*\n.*\n$/),
    });
  });

  test("can be pushed with the engine's own tools: an access key logs in, and nothing else does", async () => {
    const login = (password: string) =>
      docker.checkAuth({ username: "any", password, serveraddress: `http://${cluster.registry?.host}` });
    expect(await login(client.key)).toMatchObject({ Status: "Login Succeeded" });
    await expect(login("eps_wrong")).rejects.toThrow(/unauthorized/);
  });

  test("is not pushed with a key without the scope", async () => {
    const created = await client.call("/v1/keys", {
      method: "POST",
      body: JSON.stringify({ name: "reader", scopes: ["tasks:read"] }),
      headers: { "content-type": "application/json" },
    });
    const { key } = created.json as { readonly key: string };
    const reader = userCommand({
      folder: join(cluster.folder, "reader"),
      url: client.url,
      key,
      engineSocket: cluster.engine?.socket ?? "",
    });
    const ran = await reader("deploy", "--service", serviceId, "--image", "mirror:next");
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringMatching(/error: The registry refused the push/) });
  });
});

describe.skipIf(noEngine !== null)("a node's right to pull", { timeout: 240_000 }, () => {
  test("is for the images of its assignments, and ends with them", async () => {
    const nodeId = cluster.agents[0]?.nodeId ?? "";
    const { ca, cert, key } = makeCertificates(cluster.folder).node(nodeId);
    const channels = channelsOf({ caFile: ca, certFile: cert, keyFile: key });
    const requestRight = requestPullRights(channels, () => cluster.coordinators[0]?.grpc ?? null);
    const labelled = await docker.listContainers({ filters: { label: [`elastic.node=${nodeId}`] } });
    const assignmentId = Object.entries(labelled[0]?.Labels ?? {}).find(([name]) => name.includes("assignment"))?.[1];
    const right = await requestRight(assignmentId ?? "", AbortSignal.timeout(10_000));
    expect(right?.host).toBe(cluster.registry?.host);

    const exchange = async (repository: string) => {
      const authorization = `Basic ${Buffer.from(`node:${right?.password}`).toString("base64")}`;
      const query = new URLSearchParams({ service: "elastic-registry", scope: `repository:${repository}:pull,push` });
      return await fetch(`${client.url}/v1/registry/token?${query}`, { headers: { authorization } });
    };
    const own = `${cluster.firstKey.teamId}/mirror`;
    const clientFor = async (repository: string) => {
      const { token } = (await (await exchange(repository)).json()) as { readonly token: string };
      return ociClient(right?.host ?? "", token);
    };
    expect((await (await clientFor(own)).request("GET", `${own}/tags/list`)).status).toBe(200);
    expect((await (await clientFor(own)).request("POST", `${own}/blobs/uploads/`)).status).toBe(401);
    const another = `${cluster.firstKey.teamId}/another`;
    expect((await (await clientFor(another)).request("GET", `${another}/tags/list`)).status).toBe(401);

    await client.call(`/v1/services/${serviceId}`, { method: "DELETE" });
    await expect.poll(async () => (await exchange(own)).status, { timeout: 90_000 }).toBe(401);
    await expect(requestRight(assignmentId ?? "", AbortSignal.timeout(10_000))).rejects.toThrow(/has ended/);
  });
});
