import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Ran, runBinary } from "../testing/run-binary.ts";
import { type EngineScript, type ScriptedEngine, startScriptedEngine } from "../testing/scripted-engine.ts";
import { type Script, type ScriptedServer, sendJson, startScriptedServer } from "../testing/scripted-server.ts";

const SERVICE = {
  service_id: "5".repeat(32),
  service_name: "sudoku",
  team_id: "7".repeat(32),
  service_url: "http://h/s",
};
const DEPLOYMENT = { deployment_id: "dd", service_id: SERVICE.service_id, state: "Unready" };
const HOST = "registry.example.com:5000";
const REPOSITORY = `${SERVICE.team_id}/sudoku`;
const DIGEST = `sha256:${"a".repeat(64)}`;
const AMD64 = { Os: "linux", Architecture: "amd64" };
/** Of a length with which what the engine is shown needs padding. */
const KEY = "eps_key1";
const PUSHED = [
  { status: `The push refers to repository [${HOST}/${REPOSITORY}]` },
  { status: "Preparing", id: "aaa" },
  { status: "Preparing", id: "bbb" },
  { status: "Layer already exists", id: "bbb" },
  { status: "Pushing", id: "aaa", progressDetail: { current: 512, total: 1_500_000 } },
  { status: "Pushing", id: "aaa", progressDetail: { current: 1_500_000, total: 1_500_000 } },
  { status: "Pushed", id: "aaa" },
  { status: `v1: digest: ${DIGEST} size: 528` },
  { aux: { Tag: "v1", Digest: DIGEST, Size: 528 } },
];

const LISTEN_AND_DIE = `require("net").createServer().listen(process.argv[1], () => process.kill(process.pid, "SIGKILL"))`;

let home: string;
let server: ScriptedServer;
let engine: ScriptedEngine | null;
/** What the service responds with to other requests than those of every deployment; null for its registry is none. */
let registry: object | null;
let refusal: object | null;
/** Whether a request for a deployment is refused. */
let refused: (wanted: Record<string, string>) => boolean;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "elastic-cli-"));
  registry = { host: HOST, repository_prefix: `${SERVICE.team_id}/` };
  refusal = null;
  refused = ({ image = "" }) => !image.startsWith(HOST);
  engine = null;
  server = await startScriptedServer((request, response) => serve(request, response));
});
afterEach(async () => {
  await server.stop();
  await engine?.stop();
  await rm(home, { recursive: true });
});

const serve: Script = ({ method, path, body }, response) => {
  if (path === "/v1/registry") {
    if (registry !== null) return sendJson(response, 200, registry);
    return sendJson(response, 404, { code: "no_registry", detail: "none" });
  }
  if (method !== "POST") {
    return sendJson(response, 200, path.includes("/deployments/") ? { ...DEPLOYMENT, state: "Ready" } : SERVICE);
  }
  const wanted = JSON.parse(String(body));
  if (refusal !== null && refused(wanted)) return sendJson(response, 422, refusal);
  sendJson(response, 201, { ...DEPLOYMENT, image: wanted.image });
};

async function deploy(script: EngineScript | null, ...args: readonly string[]): Promise<Ran> {
  engine = script === null ? null : await startScriptedEngine(home, script);
  return await runBinary(["deploy", "--service", SERVICE.service_id, ...args], {
    directory: home,
    env: {
      ELASTIC_CONFIG_DIR: join(home, "config"),
      ELASTIC_URL: server.url,
      ELASTIC_API_KEY: KEY,
      DOCKER_HOST: engine?.host ?? `unix://${join(home, "nothing.sock")}`,
    },
  });
}

function posted(): readonly Record<string, unknown>[] {
  return server.seen.filter(({ method }) => method === "POST").map(({ body }) => JSON.parse(String(body)));
}

function pushes() {
  return engine?.seen.filter(({ path }) => path.includes("/push?")) ?? [];
}

describe("an image that only the local engine has", () => {
  test("is named, pushed with the key, deployed by its digest and waited for", async () => {
    const ran = await deploy(
      { images: { "sudoku:dev": AMD64 }, pushes: [PUSHED] },
      "--image",
      "sudoku:dev",
      "--tag",
      "v1",
    );
    expect(ran).toMatchObject({ code: 0, stdout: `Ready. Endpoint: ${SERVICE.service_url}\n` });
    expect(engine?.seen).toEqual([
      { method: "GET", path: "/images/sudoku:dev/json", auth: null },
      {
        method: "POST",
        path: `/images/sudoku:dev/tag?${new URLSearchParams({ repo: `${HOST}/${REPOSITORY}`, tag: "v1" })}`,
        auth: null,
      },
      {
        method: "POST",
        path: `/images/${HOST}/${REPOSITORY}/push?tag=v1`,
        auth: { username: "elastic", password: KEY, serveraddress: HOST },
      },
    ]);
    expect(posted()).toEqual([{ image: `${HOST}/${REPOSITORY}:v1@${DIGEST}`, tag: "v1" }]);
    expect(server.seen.find(({ path }) => path === "/v1/registry")?.headers["x-team"]).toBe(SERVICE.team_id);
    expect(ran.stderr.split("\n").slice(0, 4)).toEqual([
      `Pushing sudoku:dev as ${HOST}/${REPOSITORY}:v1`,
      "bbb: is in the registry already",
      "aaa: pushed (1.5 MB)",
      "Pushed 1 layer (1.5 MB), 1 layer in the registry already.",
    ]);
  });

  test("keeps its own tag where none is given, and a name that no repository can have becomes the service's id", async () => {
    const ran = await deploy({ images: { "a/b": AMD64 }, pushes: [PUSHED] }, "--image", "a/b");
    expect(ran.code).toBe(0);
    expect(posted()[0]?.image).toBe(`${HOST}/${REPOSITORY}:latest@${DIGEST}`);
  });

  test("is what elastic build made here, where no image is named", async () => {
    const link = { url: server.url, service_id: SERVICE.service_id, service_name: "sudoku" };
    const last_build = { image: "elastic/sudoku:latest", built: "2026-11-21T10:00:00Z" };
    await writeFile(join(home, ".elastic.json"), JSON.stringify({ ...link, last_build }));
    const ran = await deploy({ images: { "elastic/sudoku:latest": AMD64 }, pushes: [PUSHED] }, "--tag", "v2");
    expect(ran.code).toBe(0);
    expect(posted()).toEqual([{ image: `${HOST}/${REPOSITORY}:v2@${DIGEST}`, tag: "v2" }]);
  });

  test("that was cut on its way is pushed again", async () => {
    const cut = [...PUSHED.slice(0, 5), "cut"] as const;
    const failed = [...PUSHED.slice(0, 5), { error: "received unexpected HTTP status: 503 Service Unavailable" }];
    const pushed = [cut, failed, ["cut"], PUSHED] as const;
    const ran = await deploy({ images: { x: AMD64 }, pushes: pushed }, "--image", "x", "--no-wait");
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining("it resumes in 0.5 s") });
    expect(ran.stderr).toContain("503 Service Unavailable); it resumes in 1 s");
    expect(ran.stderr).toMatch(/The container engine went away.*; it resumes in 2 s/);
    expect(pushes()).toHaveLength(4);
    expect(posted()).toHaveLength(1);
  });

  test("with --json says nothing but the id that it waits for, and the record", async () => {
    const ran = await deploy({ images: { x: AMD64 }, pushes: [PUSHED] }, "--image", "x", "--json");
    expect(ran).toMatchObject({ code: 0, stderr: '{"deployment_id":"dd"}\n' });
    expect(JSON.parse(ran.stdout)).toMatchObject({ state: "Ready" });
  });

  test("is pushed as the verifier's too, under another tag", async () => {
    const images = { "sudoku:dev": AMD64, "checks:2": AMD64 };
    const ran = await deploy(
      { images, pushes: [PUSHED, PUSHED] },
      ...["--image", "sudoku:dev", "--verifier-image", "checks:2", "--no-wait"],
    );
    expect(ran.code).toBe(0);
    expect(posted()).toEqual([
      { image: `${HOST}/${REPOSITORY}:dev@${DIGEST}`, verifier_image: `${HOST}/${REPOSITORY}:2-verifier@${DIGEST}` },
    ]);
  });
});

describe("an image of a registry", () => {
  test("takes no engine", async () => {
    const ran = await deploy(null, "--image", "ghcr.io/me/prover:1", "--no-wait");
    expect(ran.code).toBe(0);
    expect(posted()).toEqual([{ image: "ghcr.io/me/prover:1" }]);
  });

  test("that the server cannot have is pushed from the engine, where that has it", async () => {
    refusal = { code: "registry_not_allowed", detail: "Images cannot come from the registry ghcr.io." };
    const images = { "ghcr.io/me/prover:1": AMD64 };
    const ran = await deploy({ images, pushes: [PUSHED] }, "--image", "ghcr.io/me/prover:1", "--no-wait");
    expect(ran.code).toBe(0);
    expect(posted().map(({ image }) => image)).toEqual(["ghcr.io/me/prover:1", `${HOST}/${REPOSITORY}:1@${DIGEST}`]);
  });

  test.each([
    ["there is no engine", null],
    ["the engine has it not", { images: {}, pushes: [] }],
  ])("and which is nowhere is refused in the server's words when %s", async (_why, script) => {
    refusal = { code: "image_not_found", detail: "ghcr.io has no image me/prover." };
    const ran = await deploy(script, "--image", "ghcr.io/me/prover:1");
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining("error: ghcr.io has no image me/prover.") });
  });
});

describe("a verifier's image", () => {
  const args = ["--image", "builtin:poseidon", "--no-wait", "--verifier-image"] as const;

  test("that is builtin stays as it is", async () => {
    expect((await deploy(null, ...args, "builtin:poseidon-verify")).code).toBe(0);
    expect(posted()).toEqual([{ image: "builtin:poseidon", verifier_image: "builtin:poseidon-verify" }]);
  });

  test("named after a registry that the server does not query is pushed when the engine has it", async () => {
    refusal = { code: "registry_not_allowed", detail: "No.", errors: [{ pointer: "#/verifier_image", detail: "No." }] };
    refused = ({ verifier_image: image = "" }) => !image.startsWith(HOST);
    const images = { "ghcr.io/me/checks:1": AMD64 };
    expect((await deploy({ images, pushes: [PUSHED] }, ...args, "ghcr.io/me/checks:1")).code).toBe(0);
    expect(posted().map(({ verifier_image: image }) => image)).toEqual([
      "ghcr.io/me/checks:1",
      `${HOST}/${REPOSITORY}:1-verifier@${DIGEST}`,
    ]);
  });

  test("that nobody has is reported", async () => {
    const ran = await deploy({ images: {}, pushes: [] }, ...args, "checks");
    expect(ran.stderr).toContain("error: The container engine of this machine has no image checks.");
    expect(posted()).toEqual([]);
  });
});

describe("reports in one line with the next step", () => {
  const failure = async (script: EngineScript | null, image = "x") => {
    const ran = await deploy(script, "--image", image);
    expect(ran.stdout).toBe("");
    expect(posted()).toEqual([]);
    return { code: ran.code, error: ran.stderr.slice(ran.stderr.indexOf("error: ")) };
  };

  test("that there is no engine, or none that runs", async () => {
    expect(await failure(null)).toMatchObject({
      code: 1,
      error: expect.stringMatching(/^error: No container engine responds: .*no such socket\.\nInstall .+\n$/),
    });
    // One that was killed leaves its socket behind.
    spawnSync(process.execPath, ["-e", LISTEN_AND_DIE, join(home, "nothing.sock")]);
    expect(await failure(null)).toMatchObject({
      code: 1,
      error: expect.stringMatching(/^error: The container engine does not run .*\nStart it.+\n$/),
    });
  });

  test("that the engine has no such image", async () => {
    expect(await failure({ images: {}, pushes: [] })).toMatchObject({
      code: 1,
      error: expect.stringMatching(
        /^error: The container engine of this machine has no image x\.\nBuild it with .+\n$/,
      ),
    });
  });

  test("that the image is for another kind of machine", async () => {
    const arm = { Os: "linux", Architecture: "arm64" };
    expect(await failure({ images: { x: arm }, pushes: [] })).toMatchObject({
      error: expect.stringMatching(/^error: x is for linux\/arm64; provers run on linux\/amd64\.\n.*--platform.*\n$/),
    });
  });

  test("that the service has no registry", async () => {
    registry = null;
    expect(await failure({ images: { x: AMD64 }, pushes: [] })).toMatchObject({
      error: expect.stringMatching(/^error: The service has no registry.*\nPush it to a registry .+\n$/),
    });
  });

  test.each([
    ["unauthorized: authentication required", /^error: The registry refused the push: unauthorized.*\n.*scope.*\n$/],
    ["http: server gave HTTP response to HTTPS client", /^error: The container engine wants TLS.*\n.*insecure.*\n$/],
    ["x509: certificate signed by unknown authority", /^error: .* does not trust the registry.*\n.*certs\.d.*\n$/],
  ])("that the push failed for good: %s", async (error, expected) => {
    expect(await failure({ images: { x: AMD64 }, pushes: [[{ error }]] })).toMatchObject({
      code: 1,
      error: expect.stringMatching(expected),
    });
    expect(pushes()).toHaveLength(1);
  });

  test("that the registry cannot be reached, after some tries", async () => {
    const error = "Get http://registry/v2/: dial tcp: connection refused";
    expect(await failure({ images: { x: AMD64 }, pushes: [[{ error }]] })).toMatchObject({
      code: 5,
      error: expect.stringMatching(/^error: The image could not be pushed to registry\.example.*refused\.\n.+\n$/),
    });
    expect(pushes()).toHaveLength(4);
  });
});
