import { createHash } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { newId } from "@elastic/std/ids.ts";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { IssueToken } from "./access-token.ts";
import { parseImageReference } from "./image-reference.ts";
import { digestResolver } from "./resolve-digest.ts";

const TEAM = newId(1);
const OTHER = newId(2);
const DISTRUST = 'Bearer realm="http://h/token",service="s",error="invalid_token"';
const MANIFEST = JSON.stringify({ schemaVersion: 2 });
const DIGEST = `sha256:${createHash("sha256").update(MANIFEST).digest("hex")}`;

/** A registry as far as it is used here, with the ways in which real ones differ. */
let registry: Server;
let tokens: (string | undefined)[];
let host: string;
let requests: string[];
let answer: "with digest" | "without digest" | "status 500" | "redirect" | "nonsense" | "distrust";

beforeEach(async () => {
  requests = [];
  tokens = [];
  answer = "with digest";
  registry = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    tokens.push(request.headers.authorization);
    if (answer === "status 500") return response.writeHead(500).end();
    if (answer === "distrust") return response.writeHead(401, { "www-authenticate": DISTRUST }).end();
    if (answer === "redirect") return response.writeHead(307, { location: "http://169.254.169.254/" }).end();
    if (!/\/manifests\/(v1|latest|sha256:.*)$/.test(request.url ?? "")) return response.writeHead(404).end();
    if (answer === "nonsense") return response.writeHead(200, { "docker-content-digest": "sha256:../x" }).end();
    const headers = answer === "with digest" ? { "docker-content-digest": DIGEST } : {};
    return response.writeHead(200, headers).end(request.method === "HEAD" ? undefined : MANIFEST);
  });
  await new Promise<void>((resolve) => registry.listen(0, "127.0.0.1", resolve));
  host = `127.0.0.1:${(registry.address() as AddressInfo).port}`;
});

afterEach(async () => {
  registry.closeAllConnections();
  await new Promise((resolve) => registry.close(resolve));
});

function resolve(image: string) {
  const options = { registries: [{ host, base: `http://${host}` }], own: null, builtins: ["poseidon"] };
  return digestResolver(options)(image, TEAM);
}

test("a tag becomes the digest it has now", async () => {
  expect(await resolve(`${host}/team/prover:v1`)).toEqual({
    kind: "resolved",
    image: `${host}/team/prover@${DIGEST}`,
    tag: "v1",
  });
  expect(await resolve(`${host}/prover`)).toMatchObject({ image: `${host}/prover@${DIGEST}`, tag: "latest" });
  expect(requests).toEqual(["HEAD /v2/team/prover/manifests/v1", "HEAD /v2/prover/manifests/latest"]);
});

test("a registry that does not say the digest is read", async () => {
  answer = "without digest";
  expect(await resolve(`${host}/prover:v1`)).toMatchObject({ image: `${host}/prover@${DIGEST}` });
});

test("a digest stays itself and must be there", async () => {
  expect(await resolve(`${host}/prover:v9@${DIGEST}`)).toMatchObject({ image: `${host}/prover@${DIGEST}`, tag: "v9" });
  const other = `sha256:${"0".repeat(64)}`;
  expect(await resolve(`${host}/prover@${other}`)).toMatchObject({ kind: "refused", code: "image_not_found" });
});

test("distinguishes an unknown tag from a registry that fails", async () => {
  expect(await resolve(`${host}/prover:v2`)).toMatchObject({ kind: "refused", code: "image_not_found" });
  for (const failure of ["status 500", "redirect", "nonsense", "distrust"] as const) {
    answer = failure;
    expect(await resolve(`${host}/prover:v1`)).toMatchObject({ kind: "unavailable" });
  }
  const registries = [{ host: "127.0.0.1:1", base: "http://127.0.0.1:1" }];
  const away = digestResolver({ registries, own: null, builtins: [] });
  expect(await away("127.0.0.1:1/prover:v1", TEAM)).toMatchObject({ kind: "unavailable" });
});

test("the service's own registry is shown a token for the team's repository, and one for nothing of another team's", async () => {
  const issueToken: IssueToken = (subject, access) => ({
    text: JSON.stringify({ subject, access }),
    issuedAt: 0,
    expiresInSeconds: 1,
  });
  const own = { host, base: `http://${host}`, issueToken };
  const resolve = digestResolver({ registries: [{ host, base: "http://127.0.0.1:1" }], own, builtins: [] });
  expect(await resolve(`${host}/${TEAM}/prover:v1`, TEAM)).toMatchObject({ image: `${host}/${TEAM}/prover@${DIGEST}` });
  await resolve(`${host}/${OTHER}/prover:v1`, TEAM);
  const access = [{ type: "repository", name: `${TEAM}/prover`, actions: ["pull"] }];
  const subject = `team/${TEAM}`;
  expect(tokens.map((token) => JSON.parse(token?.replace("Bearer ", "") ?? ""))).toEqual([
    { subject, access },
    { subject, access: [] },
  ]);
});

test("never sends a request to another registry", async () => {
  for (const image of ["localhost:2379/x:v1", "169.254.169.254/x", "docker.io/library/x", "127.0.0.1.evil.com/x"]) {
    expect(await resolve(image)).toMatchObject({ kind: "refused", code: "registry_not_allowed" });
  }
  expect(await resolve("docker.io/library/x")).toMatchObject({ detail: expect.stringContaining(host) });
  expect(requests).toEqual([]);
});

test("what is not the name of an image is refused", async () => {
  const wrong = [
    "",
    "prover",
    "../../etc/passwd",
    "-v/:/host",
    "--privileged",
    `${host}/Prover:v1`,
    `${host}/../x`,
    `${host}//x`,
    `${host}/x/`,
    `${host}/x:`,
    `${host}/x:v 1`,
    `${host}/x:${"a".repeat(129)}`,
    `${host}/x@sha256:../x`,
    `${host}/x@sha256:${"A".repeat(64)}`,
    `${host}/x@${DIGEST}@${DIGEST}`,
    `${host}/prövér`,
    `${host}/x?y`,
    `${host}/x#y`,
    `${host}/x%2f`,
    `user:pw@${host}/x`,
    `http://${host}/x`,
    `${host}/${"a".repeat(256)}`,
    `${host}/${"a".repeat(10_000)}`,
    `${host}/x\n`,
    ` ${host}/x`,
  ];
  for (const image of wrong) expect([image, (await resolve(image)).kind]).toEqual([image, "refused"]);
  expect(requests).toEqual([]);
});

test("builtin provers are known by name", async () => {
  expect(await resolve("builtin:poseidon")).toEqual({ kind: "resolved", image: "builtin:poseidon", tag: null });
  expect(await resolve("builtin:crash")).toMatchObject({ code: "image_not_found" });
  expect(await resolve("builtin:../x")).toMatchObject({ code: "image_not_found" });
});

test("whatever is taken for a reference is spelled in safe characters only", () => {
  const text = fc.string({ unit: fc.constantFrom(..."ab.:/@-_~%A1 \n", "sha256:"), maxLength: 40 });
  fc.assert(
    fc.property(text, (noise) => {
      const reference = parseImageReference(`host:1/${noise}`);
      if ("wrong" in reference) return;
      expect(reference.repository).toMatch(/^[a-z0-9][a-z0-9._/-]*$/);
      expect(reference.repository).not.toContain("..");
    }),
    { numRuns: 2000 },
  );
});
