import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { systemClock } from "@elastic/std/clock.ts";
import { newId } from "@elastic/std/ids.ts";
import { ociClient } from "@elastic/test/cluster/oci-client.ts";
import { type Registry, startRegistry } from "@elastic/test/cluster/registry.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { authorityBundle, registryAuthorities } from "./authority.ts";
import { listImages } from "./list-images.ts";
import { type OwnRegistry, openOwnRegistry } from "./own-registry.ts";

const SECRETS = { derive: (_use: string, bytes: number) => [Buffer.alloc(bytes, 7)], keyIds: () => ["one"] };
const SERVICE = "elastic-registry";
const ISSUER = "elastic";
/** In this order in the catalog. */
const [BEFORE = "", TEAM = "", AFTER = "", EMPTY = ""] = [1, 2, 3, 4].map((at) => newId(at));

function ownRegistry(host: string, secrets = SECRETS): OwnRegistry {
  const address = { host, base: `http://${host}` };
  return openOwnRegistry({ address, service: SERVICE, issuer: ISSUER }, secrets, systemClock);
}

describe("of a real registry", () => {
  let registry: Registry;
  let own: OwnRegistry;

  beforeAll(async () => {
    registry = await startRegistry();
    const certificates = authorityBundle(registryAuthorities(SECRETS));
    await registry.demandTokens({ realm: "http://127.0.0.1:1/", service: SERVICE, issuer: ISSUER, certificates });
    own = ownRegistry(registry.host);
    for (const name of [`${BEFORE}/a`, `${TEAM}/prover`, `${TEAM}/verifier`, `${AFTER}/z`]) {
      const access = [{ type: "repository", name, actions: ["pull", "push"] }] as const;
      const client = ociClient(registry.host, own.issueToken("test", access).text);
      for (const tag of ["v1", "v2"]) await client.pushImage(name, tag, name);
    }
  });
  afterAll(() => registry[Symbol.asyncDispose]());

  test("lists the team's repositories with their tags, and no other team's", async () => {
    const tags = ["v1", "v2"];
    expect(await listImages(own, TEAM)).toEqual({
      kind: "images",
      repositories: [
        { repository: `${TEAM}/prover`, tags },
        { repository: `${TEAM}/verifier`, tags },
      ],
      isCut: false,
    });
    expect(await listImages(own, AFTER)).toMatchObject({ repositories: [{ repository: `${AFTER}/z`, tags }] });
    expect(await listImages(own, EMPTY)).toEqual({ kind: "images", repositories: [], isCut: false });
  });

  test("says that the registry refuses tokens of another authority", async () => {
    const other = ownRegistry(registry.host, {
      derive: (_use, bytes) => [Buffer.alloc(bytes, 8)],
      keyIds: () => ["two"],
    });
    expect(await listImages(other, TEAM)).toEqual({ kind: "unavailable", detail: "it responded with status 401" });
  });
});

describe("of a registry that misbehaves", () => {
  let server: Server;
  let respond: (path: string) => string | number;
  let own: OwnRegistry;

  beforeAll(async () => {
    server = createServer(({ url = "" }, response) => {
      const answer = respond(url);
      if (typeof answer === "string") response.end(answer);
      else response.writeHead(answer, answer === 307 ? { location: "http://127.0.0.1:1/" } : {}).end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    own = ownRegistry(`127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  test.each([
    ["an error", 500],
    ["a redirect", 307],
    ["no JSON", "<html>"],
    ["another shape", '{"repositories":{}}'],
    ["more than a list may have", JSON.stringify({ repositories: ["x".repeat(1024 * 1024)] })],
  ])("says that there is no list when it responds with %s", async (_what, answer) => {
    respond = () => answer;
    expect(await listImages(own, TEAM)).toEqual({ kind: "unavailable", detail: expect.any(String) });
  });

  test("lists a bounded part of what it has, and leaves out names of others and repositories without tags", async () => {
    const names = Array.from({ length: 101 }, (_, n) => `${TEAM}/r${String(n).padStart(3, "0")}`);
    const tags = Array.from({ length: 101 }, (_, n) => `v${n}`);
    const requests: string[] = [];
    respond = (path) => {
      requests.push(path);
      if (path.includes("_catalog"))
        return JSON.stringify({ repositories: [...names, `${AFTER}/z`, "library/debian"] });
      if (path.includes("/r000/")) return 404;
      return JSON.stringify({ tags: path.includes("/r001/") ? null : tags });
    };
    const list = await listImages(own, TEAM);
    if (list.kind !== "images") throw new Error(list.detail);
    expect([list.isCut, list.repositories.length]).toEqual([true, 98]);
    expect(requests[0]).toBe(`/v2/_catalog?n=101&last=${TEAM}%2F`);
    expect(list.repositories[0]).toEqual({ repository: `${TEAM}/r002`, tags: tags.slice(0, 100) });
  });
});
