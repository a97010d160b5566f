import { spawn } from "node:child_process";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { afterEach, beforeEach, expect, test } from "vitest";
import { BUNDLED_COMMAND } from "./testing/bundled-command.ts";
import { type Ran, runBinary } from "./testing/run-binary.ts";
import { type ScriptedServer, sendJson, startScriptedServer } from "./testing/scripted-server.ts";

const SERVICE = "0193a0b0c0d0e0f00193a0b0c0d0e0f0";
const [FIRST, SECOND] = ["aaaaaa", "bbbbbb"].map((end) => `0193a0b0c0d0e0f00193a0b0c0${end}`);

let server: ScriptedServer;
let onLogs: (response: ServerResponse, query: string) => void;

let service: object;
let starting: { readonly warning: string | null; readonly log_tail: string } | null;

beforeEach(async () => {
  starting = null;
  service = { service_id: SERVICE, next_deployment_id: "dd" };
  server = await startScriptedServer(({ path }, response) => {
    const { pathname, search } = new URL(path, "http://h");
    if (pathname === `/v1/services/${SERVICE}`) return sendJson(response, 200, service);
    if (pathname === `/v1/services/${SERVICE}/deployments/dd`) return sendJson(response, 200, { starting });
    if (pathname !== `/v1/services/${SERVICE}/logs`) return sendJson(response, 404, {});
    onLogs(response, search);
  });
});
afterEach(() => server.stop());

const environment = () => ({ ELASTIC_URL: server.url, ELASTIC_API_KEY: "eps_key", ELASTIC_CONFIG_DIR: "/nowhere" });

function logs(...args: readonly string[]): Promise<Ran> {
  const all = ["service", "logs", "--service", SERVICE, ...args];
  return runBinary(all, { directory: tmpdir(), env: environment() });
}

function send(
  response: ServerResponse,
  ...pieces: readonly (readonly [task: string | undefined, offset: number, text: string])[]
) {
  if (!response.headersSent) response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
  response.write(`event: begin\ndata: ${JSON.stringify({ type: "begin", service_id: SERVICE })}\n\n`);
  for (const [task, offset, text] of pieces) {
    const data = { type: "log", task_id: task, attempt: 1, offset, bytes: Buffer.byteLength(text), text };
    response.write(`event: log\ndata: ${JSON.stringify(data)}\n\n`);
  }
}

test("prints the lines of all tasks, each with its task, as text that a terminal does not act upon", async () => {
  let requested = "";
  onLogs = (response, query) => {
    requested = query;
    send(response, [FIRST, 0, "one\n\u001b[2Jtw"], [SECOND, 0, "other\n"], [FIRST, 10, "o\n"], [SECOND, 6, "rest"]);
    response.end();
  };
  expect(await logs("--tasks", "5")).toEqual({
    code: 0,
    stdout: "aaaaaa one\nbbbbbb other\naaaaaa two\nbbbbbb rest\n",
    stderr: "",
  });
  expect(requested).toBe("?tasks=5");
});

test("followed over a cut, prints every line once", async () => {
  let calls = 0;
  onLogs = (response) => {
    calls += 1;
    if (calls === 1) {
      send(response, [FIRST, 0, "one\ntwo €"]);
      response.write(": beat\n\n", () => response.destroy());
    } else {
      send(response, [FIRST, 0, "one\ntwo € three\n"]);
    }
  };
  const args = [BUNDLED_COMMAND, "service", "logs", "--service", SERVICE, "-f"];
  const child = spawn(process.execPath, args, { cwd: tmpdir(), env: environment() });
  let printed = "";
  child.stdout.on("data", (text) => {
    printed += text;
  });
  await expect.poll(() => printed).toBe("aaaaaa one\naaaaaa two € three\n");
  child.kill("SIGINT");
  await new Promise((resolve) => child.once("close", resolve));
});

test("followed while a prover comes up, prints what that writes before its first task", async () => {
  starting = { warning: "it listens on port 3000", log_tail: "reading keys\n" };
  onLogs = (response) => send(response);
  const all = ["service", "logs", "--service", SERVICE, "-f"];
  const ran = await runBinary(all, { directory: tmpdir(), env: environment(), interruptAfter: "Warning" });
  expect(ran.stderr).toMatch(/^\| reading keys\nWarning: it listens on port 3000\.\n/);
});

test("prints what a prover that comes up has written, and its warning, without being followed", async () => {
  starting = { warning: "it listens on port 3000", log_tail: "reading keys\nhal" };
  onLogs = (response) => {
    send(response);
    response.end();
  };
  expect(await logs()).toEqual({
    code: 0,
    stdout: "",
    stderr: "| reading keys\n| hal\nWarning: it listens on port 3000.\n",
  });
});

test("says why there is no log, also where nothing is deployed", async () => {
  onLogs = (response) => {
    send(response);
    response.end();
  };
  const info = `\`elastic deployment info dd --service ${SERVICE}\``;
  expect((await logs()).stderr).toBe(
    `No log yet: the prover of the deployment dd has written nothing; ${info} shows how far it is.\n`,
  );
  service = { service_id: SERVICE, next_deployment_id: null, current_deployment_id: null, failure: null };
  expect((await logs()).stderr).toMatch(
    /^No log yet: nothing is deployed to the service; run `elastic deploy .*`\.\n$/,
  );
});

test("followed where nothing is deployed, says so and what to do", async () => {
  service = { service_id: SERVICE, next_deployment_id: null, current_deployment_id: null, failure: null };
  onLogs = (response) => send(response);
  const all = ["service", "logs", "--service", SERVICE, "-f"];
  const ran = await runBinary(all, { directory: tmpdir(), env: environment(), interruptAfter: "follows here" });
  expect(ran.stderr).toMatch(/^No log yet: nothing is deployed to the service; run `elastic deploy .*follows here\.\n/);
});

test("says what the service refuses", async () => {
  onLogs = (response) =>
    sendJson(response, 404, { status: 404, code: "not_found", detail: "There is no such service." });
  expect(await logs()).toMatchObject({ code: 4, stdout: "" });
});
