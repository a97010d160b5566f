/** The real registry under the tokens of real coordinators: what a key, a node and a forger can do there. */
import { createHmac, createPublicKey, generateKeyPairSync, X509Certificate } from "node:crypto";
import { join } from "node:path";
import { expectHeadDescribed } from "@elastic/coordinator/http/testing/conformance.ts";
import { type AccessToken, type IssuerOptions, tokenIssuer } from "@elastic/coordinator/registry/access-token.ts";
import { registryAuthorities } from "@elastic/coordinator/registry/authority.ts";
import { signerCertificate } from "@elastic/coordinator/registry/certificate.ts";
import type { Access } from "@elastic/coordinator/registry/scope.ts";
import { openSecrets } from "@elastic/coordinator/secrets/secrets.ts";
import { systemClock } from "@elastic/std/clock.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { apiClient } from "../cluster/api-client.ts";
import { type Cluster, startCluster } from "../cluster/cluster.ts";
import { type Coordinator, secretsKeyFile } from "../cluster/coordinator.ts";
import { digestOf, MANIFEST_TYPE, type OciResponse, ociClient } from "../cluster/oci-client.ts";
import { addTeam, type Tenant } from "../cluster/second-team.ts";

const LAYER = "a layer of team B";

let cluster: Cluster;
let host: string;
let own: Tenant;
let other: Tenant;
/** The digest of the manifest of each team's image. */
let digests: Readonly<Record<"own" | "other", string>>;

beforeAll(async () => {
  cluster = await startCluster({ coordinators: 2, agents: 0, registry: true });
  host = cluster.registry?.host ?? "";
  own = cluster.firstKey;
  other = await addTeam(cluster.etcd.endpoint, "other");
  digests = { own: await pushImage(own, "a layer of team A"), other: await pushImage(other, LAYER) };
}, 60_000);
afterAll(() => cluster[Symbol.asyncDispose]());

function repositoryOf({ teamId }: Tenant): string {
  return `${teamId}/prover`;
}

/** A token for whatever is requested, as an engine gets it. */
function tokenFor(key: string, ...scopes: readonly string[]): Promise<string> {
  return tokenOf(cluster.coordinators[0], key, scopes);
}

async function tokenOf(coordinator: Coordinator | undefined, key: string, scopes: readonly string[]): Promise<string> {
  const query = new URLSearchParams({ service: "elastic-registry" });
  for (const scope of scopes) query.append("scope", scope);
  const authorization = `Basic ${Buffer.from(`any:${key}`).toString("base64")}`;
  const url = `${coordinator?.url}/v1/registry/token?${query}`;
  const response = await fetch(url, { headers: { authorization } });
  await expectHeadDescribed(response);
  expect(response.status).toBe(200);
  return ((await response.json()) as { readonly token: string }).token;
}

async function pushImage(tenant: Tenant, layer: string): Promise<string> {
  const token = await tokenFor(tenant.key, `repository:${repositoryOf(tenant)}:pull,push`);
  return await ociClient(host, token).pushImage(repositoryOf(tenant), "v1", layer);
}

/** Everything that the registry's interface has, on one repository. */
function operationsOn(repository: string, digest: string): readonly (readonly [string, string, string?])[] {
  const blob = digestOf(LAYER);
  const uploads = `${repository}/blobs/uploads/`;
  return [
    ["GET", `${repository}/tags/list`],
    ["GET", `${repository}/manifests/v1`],
    ["HEAD", `${repository}/manifests/v1`],
    ["GET", `${repository}/manifests/${digest}`],
    ["PUT", `${repository}/manifests/v2`, "{}"],
    ["DELETE", `${repository}/manifests/${digest}`],
    ["GET", `${repository}/blobs/${blob}`],
    ["HEAD", `${repository}/blobs/${blob}`],
    ["DELETE", `${repository}/blobs/${blob}`],
    ["POST", uploads],
    ["POST", `${uploads}?digest=${blob}`, LAYER],
    ["GET", `${uploads}x`],
    ["PATCH", `${uploads}x`, LAYER],
    ["PUT", `${uploads}x?digest=${blob}`, LAYER],
    ["DELETE", `${uploads}x`],
  ];
}

/** All that could be requested, of both teams' repositories and of the registry itself. */
function everyScope(): readonly string[] {
  const actions = ["pull,push", "*", "delete", "pull,push,delete,*"];
  const names = [repositoryOf(own), repositoryOf(other), "*", own.teamId, `${other.teamId}/*`];
  return [...names.flatMap((name) => actions.map((action) => `repository:${name}:${action}`)), "registry:catalog:*"];
}

describe("a key of one team", () => {
  test("gets the same from every coordinator", async () => {
    const scope = `repository:${repositoryOf(own)}:pull`;
    for (const coordinator of cluster.coordinators) {
      const client = ociClient(host, await tokenOf(coordinator, own.key, [scope]));
      expect((await client.request("GET", `${repositoryOf(own)}/manifests/v1`)).status).toBe(200);
    }
  });

  test("does nothing in another team's repository, whatever it requests and tries", async () => {
    const client = ociClient(host, await tokenFor(own.key, ...everyScope()));
    for (const [method, path, body] of operationsOn(repositoryOf(other), digests.other)) {
      const { status, headers } = await client.request(method, path, body, { "content-type": MANIFEST_TYPE });
      expect([method, path, status]).toEqual([method, path, 401]);
      expect(headers.get("www-authenticate")).toContain('error="insufficient_scope"');
    }
    expect((await client.request("GET", "_catalog")).status).toBe(401);
  });

  test("does in its own repository what it may, and deletes nothing", async () => {
    const client = ociClient(host, await tokenFor(own.key, ...everyScope()));
    const statuses: Record<string, number> = {};
    for (const [method, path] of operationsOn(repositoryOf(own), digests.own)) {
      if (method === "PUT" || method === "PATCH") continue;
      statuses[`${method} ${path.replace(repositoryOf(own), "").replace(/sha256:\w+/, "<digest>")}`] = (
        await client.request(method, path)
      ).status;
    }
    expect(statuses).toMatchObject({
      "GET /tags/list": 200,
      "GET /manifests/v1": 200,
      "HEAD /manifests/v1": 200,
      "GET /manifests/<digest>": 200,
      "DELETE /manifests/<digest>": 401,
      "DELETE /blobs/<digest>": 401,
      "POST /blobs/uploads/": 202,
    });
  });

  test("mounts no layer from another team's repository, and reads none by knowing its digest", async () => {
    const client = ociClient(host, await tokenFor(own.key, ...everyScope()));
    const mount = `${repositoryOf(own)}/blobs/uploads/?mount=${digestOf(LAYER)}&from=${repositoryOf(other)}`;
    expect((await client.request("POST", mount)).status).toBe(401);
    expect((await client.request("HEAD", `${repositoryOf(own)}/blobs/${digestOf(LAYER)}`)).status).toBe(404);
    const theirs = await manifestOf(other);
    const put = await client.request("PUT", `${repositoryOf(own)}/manifests/stolen`, theirs.text, {
      "content-type": MANIFEST_TYPE,
    });
    expect([put.status, put.text]).toEqual([400, expect.stringContaining("BLOB_UNKNOWN")]);
    // The same by the owner's key is no trick at all.
    const owner = ociClient(
      host,
      await tokenFor(other.key, `repository:${other.teamId}/copy:pull,push`, `repository:${repositoryOf(other)}:pull`),
    );
    const moved = `${other.teamId}/copy/blobs/uploads/?mount=${digestOf(LAYER)}&from=${repositoryOf(other)}`;
    expect((await owner.request("POST", moved)).status).toBe(201);
  });

  test("deploys no image of another team: it is as one that is not there", async () => {
    const client = apiClient({ url: cluster.coordinators[0]?.url ?? "", key: own.key });
    const { service_id: id } = await client.createService("thief");
    const deploy = async (image: string) => {
      const response = await client.call(`/v1/services/${id}/deployments`, {
        method: "POST",
        body: JSON.stringify({ image }),
        headers: { "content-type": "application/json" },
      });
      const { code, detail } = response.json as { readonly code?: string; readonly detail?: string };
      return { status: response.status, code, detail: detail?.replace(/\/\w+ under/, "/… under") };
    };
    const unknown = await deploy(`${host}/${own.teamId}/unknown:v1`);
    const shown = (teamId: string) => ({ ...unknown, detail: unknown.detail?.replace(own.teamId, teamId) });
    expect(unknown).toMatchObject({ status: 422, code: "image_not_found" });
    expect(await deploy(`${host}/${repositoryOf(other)}:v1`)).toEqual(shown(other.teamId));
    expect(await deploy(`${host}/${repositoryOf(other)}@${digests.other}`)).toMatchObject({ code: "image_not_found" });
    expect(await deploy(`${host}/${repositoryOf(own)}:v1`)).toMatchObject({ status: 201 });
  });
});

async function manifestOf(tenant: Tenant): Promise<OciResponse> {
  const token = await tokenFor(tenant.key, `repository:${repositoryOf(tenant)}:pull`);
  return await ociClient(host, token).request("GET", `${repositoryOf(tenant)}/manifests/v1`);
}

describe("the registry rejects", () => {
  const TEN_MINUTES_MS = 600_000;

  function issue(options: Partial<IssuerOptions> = {}, access?: readonly Access[]): AccessToken {
    const [authority] = registryAuthorities(openSecrets({ keyFile: secretsKeyFile(cluster.folder) }));
    if (authority === undefined) throw new Error("no authority");
    const settings = { authority, issuer: "elastic", service: "elastic-registry", clock: systemClock, ...options };
    return tokenIssuer(settings)(
      "test",
      access ?? [{ type: "repository", name: repositoryOf(own), actions: ["pull"] }],
    );
  }

  /** The status, and what the registry calls its reason. */
  async function pullWith(token: string | null): Promise<string> {
    const { status, headers } = await ociClient(host, token).request("GET", `${repositoryOf(own)}/manifests/v1`);
    return [status, /error="(\w+)"/.exec(headers.get("www-authenticate") ?? "")?.[1] ?? ""].join(" ").trim();
  }

  function encode(value: object): string {
    return Buffer.from(JSON.stringify(value)).toString("base64url");
  }

  test("all tokens but those of its service, while they are valid", async () => {
    expect(await pullWith(issue().text)).toBe("200");
    const at = (ms: number) => ({ clock: { now: () => Date.now() + ms } });
    const wrong = {
      none: null,
      nonsense: "x",
      expired: issue(at(-TEN_MINUTES_MS)).text,
      early: issue(at(TEN_MINUTES_MS)).text,
      "another issuer's": issue({ issuer: "other" }).text,
      "another service's": issue({ service: "other" }).text,
      "of nothing": issue({}, []).text,
      "for another repository": issue({}, [{ type: "repository", name: repositoryOf(other), actions: ["pull"] }]).text,
    };
    const narrow = /of nothing|another repository/;
    for (const [what, token] of Object.entries(wrong)) {
      const why = token === null ? "401" : `401 ${narrow.test(what) ? "insufficient_scope" : "invalid_token"}`;
      expect([what, await pullWith(token)]).toEqual([what, why]);
    }
  });

  test("a token that is unsigned, or signed by another key or by one that nobody certifies", async () => {
    const genuine = issue({}, []).text;
    const [header = "", , signature = ""] = genuine.split(".");
    const { x5c } = JSON.parse(Buffer.from(header, "base64url").toString("utf8")) as {
      readonly x5c: readonly string[];
    };
    const certificate = new X509Certificate(Buffer.from(x5c[0] ?? "", "base64"));
    const wanted = issue().text.split(".")[1];
    const others = registryAuthorities(openSecrets({ keyFile: join(cluster.folder, "other-keys") }))[0];
    const real = registryAuthorities(openSecrets({ keyFile: secretsKeyFile(cluster.folder) }))[0];
    if (others === undefined || real === undefined) throw new Error("no authority");
    const impostor = { name: real.name, key: others.key };
    const publicPem = certificate.publicKey.export({ type: "spki", format: "pem" });
    const confused = `${encode({ typ: "JWT", alg: "HS256", x5c })}.${wanted}`;
    const byName = `${encode({ typ: "JWT", alg: "ES256", kid: real.name })}.${wanted}`;
    const wrong = {
      "with other claims": `${header}.${wanted}.${signature}`,
      "without a signature": `${header}.${wanted}.`,
      "of no algorithm": `${encode({ typ: "JWT", alg: "none" })}.${wanted}.`,
      "of no algorithm, with a certificate": `${encode({ typ: "JWT", alg: "none", x5c })}.${wanted}.`,
      "with the public key as a secret": `${confused}.${createHmac("sha256", publicPem).update(confused).digest("base64url")}`,
      "by a key that is only named": `${byName}.${signature}`,
      "with its own key": `${encode({ typ: "JWT", alg: "ES256", jwk: certificate.publicKey.export({ format: "jwk" }) })}.${wanted}.${signature}`,
      "by another authority": issue({ authority: others }).text,
      "by another authority of the same name": issue({ authority: impostor }).text,
      "by a signer that made itself an authority": signedBelowASigner(),
    };
    for (const [what, token] of Object.entries(wrong)) {
      expect([what, await pullWith(token)]).toEqual([what, "401 invalid_token"]);
    }
  });

  /** A signer of tokens may not certify another one. */
  function signedBelowASigner(): string {
    const [root] = registryAuthorities(openSecrets({ keyFile: secretsKeyFile(cluster.folder) }));
    if (root === undefined) throw new Error("no authority");
    const signer = { name: "signer", key: generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey };
    const token = issue({ authority: signer }).text;
    const [header = "", ...rest] = token.split(".");
    const parsed = JSON.parse(Buffer.from(header, "base64url").toString("utf8"));
    const chain = [...parsed.x5c, signerCertificate(signer, root).toString("base64")];
    expect(createPublicKey(signer.key).asymmetricKeyType).toBe("ec");
    return [encode({ ...parsed, x5c: chain }), ...rest].join(".");
  }
});
