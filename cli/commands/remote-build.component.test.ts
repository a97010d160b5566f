import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { shellCommand } from "../testing/run-binary.ts";
import { type SeenRequest, sendJson } from "../testing/scripted-server.ts";
import { type ScriptedService, SERVICE, startScriptedService } from "../testing/scripted-service.ts";

const ID = "0193a0b0c0d0e0f00193a0b0c0d0e0b1";
const IMAGE = "h:5000/a/b@sha256:ab";
const BUILD = {
  build_id: ID,
  phase: "queued",
  waiting_for: null,
  failure: null,
  build_file: "Dockerfile",
  image: null,
  reused_from: null,
};
const DONE = { ...BUILD, phase: "succeeded", image: IMAGE };
const SERVICE_ARGS = ["--service", SERVICE.service_id];

let service: ScriptedService;
/** Of the build, one after the other; the last stays. */
let records: object[];

beforeEach(async () => {
  service = await startScriptedService();
  await service.loggedIn();
  await writeFile(join(service.home, "Dockerfile"), "FROM x\n");
  records = [BUILD, DONE];
  service.answer = ({ method, path }, response) => {
    if (path.includes("/log")) return response.writeHead(200, { "x-log-run": "1" }).end("step\n");
    if (path.includes("/deployments")) return sendJson(response, 202, { deployment_id: "dd", image: IMAGE });
    if (path.includes("/builds")) {
      return sendJson(response, method === "POST" ? 202 : 200, records.length > 1 ? records.shift() : records[0]);
    }
    sendJson(response, 404, { detail: `${method} ${path}`, code: "not_found" });
  };
});
afterEach(() => service[Symbol.asyncDispose]());

const posted = (end: string): SeenRequest | undefined =>
  service.server.seen.find(({ method, path }) => method === "POST" && path.endsWith(end));

test.each([
  [
    ["build", "--remote"],
    ["--run-image", "debian:mine"],
  ],
  [
    ["deploy", "--remote-build", "--no-wait"],
    ["--run-image", "debian:mine"],
  ],
])("elastic %s sends the images of the environment and of its options, and --no-cache", async (command, images) => {
  const env = { ELASTIC_BUILD_IMAGE: "rust:site", ELASTIC_RUN_IMAGE: "debian:site" };
  expect(await service.elastic([...command, ...SERVICE_ARGS, "--no-cache", ...images], { env })).toMatchObject({
    code: 0,
  });
  expect(JSON.parse(String(posted("/builds")?.body))).toMatchObject({
    build_args: { RUST_IMAGE: "rust:site", RUN_IMAGE: "debian:mine" },
    no_cache: true,
  });
});

test.each([[["--build-image", "x"]], [["--run-image", "x"]], [["--no-cache"]]])(
  "elastic deploy %j is refused without --remote-build",
  async (args) => {
    const ran = await service.elastic(["deploy", "--image", "builtin:i", ...args]);
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining("no effect without --remote-build") });
    expect(service.server.seen).toEqual([]);
  },
);

test("sends a part of the source again that the service has damaged", async () => {
  const corrupt = { code: "source_corrupt", detail: "damaged", errors: [{ pointer: "#/source/parts/0", detail: "x" }] };
  const { answer } = service;
  let refused = 0;
  service.answer = (request, response) => {
    if (request.method === "PUT") return response.writeHead(204).end();
    if (request.method === "POST" && request.path.endsWith("/builds") && refused === 0) {
      refused += 1;
      return sendJson(response, 502, corrupt);
    }
    return answer(request, response);
  };
  const { code, stdout } = await service.elastic(["build", "--remote", ...SERVICE_ARGS]);
  expect([code, stdout]).toEqual([0, `Built ${IMAGE}.\n`]);
  expect(service.server.seen.filter(({ method }) => method === "PUT")).toHaveLength(1);
});

test("says what a build waits for as it changes", async () => {
  records = [
    BUILD,
    { ...BUILD, waiting_for: "a machine that builds images" },
    { ...BUILD, waiting_for: "a machine with room for a build" },
    { ...BUILD, phase: "running" },
    DONE,
  ];
  const { code, stdout, stderr } = await service.elastic(["build", "--remote", ...SERVICE_ARGS]);
  expect([code, stdout]).toEqual([0, `Built ${IMAGE}.\n`]);
  expect(stderr).toMatch(
    /Waits for a machine that builds images\nWaits for a machine with room for a build\nstep\nNext: /,
  );
});

test("Ctrl-C says that the build continues, and how to follow and cancel it", async () => {
  records = [{ ...BUILD, waiting_for: "a machine with room for a build" }];
  const env = { ELASTIC_URL: service.server.url, ELASTIC_API_KEY: "eps_key", ELASTIC_CONFIG_DIR: service.home };
  const line = shellCommand(`build --remote --service ${SERVICE.service_id}`);
  const child = spawn("sh", ["-c", `exec ${line}`], { cwd: service.home, env });
  let stderr = "";
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
    if (stderr.endsWith("room for a build\n")) child.kill("SIGINT");
  });
  const [code] = await once(child, "close");
  expect(code).toBe(130);
  expect(stderr).toMatch(
    new RegExp(
      `error: Interrupted\\. The build ${ID} continues\\.\nRun \`elastic build logs ${ID} --follow\`, or \`elastic build cancel ${ID}\`\\.\n$`,
    ),
  );
});

test("cancel says whether it was cancelled, or how it had ended already", async () => {
  const cancel = () => service.elastic(["build", "cancel", ID]);
  records = [
    { ...BUILD, phase: "running" },
    { ...BUILD, phase: "cancelled" },
  ];
  expect(await cancel()).toMatchObject({ code: 0, stdout: `Build ${ID} is cancelled.\n` });
  records = [{ ...DONE, finished: "2026-11-21T10:00:00" }];
  expect((await cancel()).stdout).toBe(`Build ${ID} had ended already at 2026-11-21T10:00:00: succeeded.\n`);
  records = [
    { ...BUILD, phase: "running" },
    { ...BUILD, phase: "failed", finished: null, failure: { reason: "timeout", message: "Too long.", line: null } },
  ];
  expect((await cancel()).stdout).toBe(`Build ${ID} had ended already: failed, timeout: Too long.\n`);
});

test("a build is named by its tag in the service, and an empty list names the next step", async () => {
  const other = service.answer;
  const items = [{ ...DONE, image_tag: "build-c1" }];
  const list = (now: readonly object[]) => {
    service.answer = (request, response) =>
      /\/services\/.*\/builds/.test(request.path)
        ? sendJson(response, 200, { items: now, pages: 1 })
        : other(request, response);
  };
  list(items);
  expect(await service.elastic(["build", "logs", "build-c1", ...SERVICE_ARGS])).toMatchObject({ stdout: "step\n" });
  expect(service.server.seen.at(-1)?.path).toContain(`/v1/builds/${ID}/log`);
  list([]);
  const empty = await service.elastic(["build", "list", ...SERVICE_ARGS]);
  expect(empty).toMatchObject({
    stdout: "The service has no builds.\n",
    stderr: expect.stringContaining("elastic build --remote"),
  });
});

test("a failed build is explained by its reason", async () => {
  const failure = { reason: "build_failed", message: "unknown instruction: RUNN", line: 2 };
  records = [BUILD, { ...BUILD, phase: "failed", failure }];
  const { code, stderr } = await service.elastic(["build", "--remote", ...SERVICE_ARGS]);
  expect(code).toBe(1);
  expect(stderr).toContain("build_failed: unknown instruction: RUNN (line 2 of Dockerfile)\nCorrect the line");
  expect(stderr).not.toContain("--no-cache");
});
