import { spawn } from "node:child_process";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Ran, runBinary, shellCommand } from "./testing/run-binary.ts";
import { type ScriptedServer, sendJson, startScriptedServer } from "./testing/scripted-server.ts";

const ID = "0193a0b0c0d0e0f00193a0b0c0d0e0f1";

interface LogCall {
  readonly query: Record<string, string>;
  readonly response: ServerResponse;
  /** Sends so much of an attempt's log; more may come. */
  begin(attempt: number, text: string | Buffer): void;
}

let server: ScriptedServer;
let onLogs: (call: LogCall) => void;
let task: () => object;

beforeEach(async () => {
  server = await startScriptedServer(({ path }, response) => {
    const { pathname, searchParams } = new URL(path, "http://h");
    if (pathname === `/v1/tasks/${ID}`) return sendJson(response, 200, task());
    const begin = (attempt: number, text: string | Buffer): void => {
      const headers = { "x-log-attempt": attempt, "x-log-offset": searchParams.get("offset") ?? "" };
      response.writeHead(200, { "content-type": "text/plain", ...headers });
      response.write(text);
    };
    onLogs({ query: Object.fromEntries(searchParams), response, begin });
  });
});
afterEach(() => server.stop());

const environment = () => ({ ELASTIC_URL: server.url, ELASTIC_API_KEY: "eps_key", ELASTIC_CONFIG_DIR: "/nowhere" });

function logs(...args: readonly string[]): Promise<Ran> {
  return runBinary(["task", "logs", ID, ...args], { directory: tmpdir(), env: environment() });
}

function queries(): string[] {
  const requests = server.seen.filter(({ path }) => path.includes("/logs"));
  return requests.map(({ path }) => new URL(path, "http://h").search);
}

test("prints the newest log, as text that a terminal does not act upon", async () => {
  onLogs = ({ begin, response }) => {
    begin(2, "one\n\u001b[2Jtwo\u001b]0;title\u0007\r\nrest");
    response.end();
  };
  expect(await logs()).toEqual({ code: 0, stdout: "one\ntwo\nrest", stderr: "" });
  expect(queries()).toEqual(["?offset=0"]);
});

test("says where the prover wrote nothing", async () => {
  onLogs = ({ begin, response }) => {
    begin(1, "");
    response.end();
  };
  expect(await logs()).toEqual({
    code: 0,
    stdout: "",
    stderr: "No log: the prover has written nothing for the task.\n",
  });
});

test("with --raw prints every byte as it is, of the attempt that is named", async () => {
  onLogs = ({ begin, response }) => {
    begin(1, "\u001b[31mred\r\n");
    response.end();
  };
  expect((await logs("--raw", "--attempt", "1")).stdout).toBe("\u001b[31mred\r\n");
  expect(queries()).toEqual(["?offset=0&attempt=1"]);
});

test("resumes at the same byte after a cut connection", async () => {
  const text = "1 é\n2 ü\n3 ß\n";
  const bytes = Buffer.from(text);
  onLogs = ({ query, begin, response }) => {
    const offset = Number(query.offset);
    // Within a character, too.
    begin(1, bytes.subarray(offset, offset + 3));
    if (offset + 3 >= bytes.length) response.end();
    else setImmediate(() => response.destroy());
  };
  task = () => ({ state: "SUCCESS", attempt: 1 });
  expect(await logs("--follow")).toEqual({ code: 0, stdout: text, stderr: "" });
  expect(queries()[0]).toBe("?offset=0&follow=1");
  expect(queries().slice(1)).toEqual([3, 6, 9, 12].map((offset) => `?offset=${offset}&attempt=1&follow=1`));
});

test("a service that is away for a moment is waited for, and what it refuses is reported", async () => {
  let calls = 0;
  onLogs = ({ response, begin }) => {
    calls += 1;
    if (calls === 1) return sendJson(response, 503, { detail: "The store cannot be reached." });
    begin(1, "there\n");
    response.end();
  };
  expect(await logs()).toMatchObject({ code: 0, stdout: "there\n" });
  onLogs = ({ response }) => sendJson(response, 404, { detail: "There is no such task.", code: "not_found" });
  expect(await logs()).toMatchObject({ code: 4, stderr: expect.stringContaining("There is no such task.") });
});

test("followed, a retried task continues with the log of its next attempt", async () => {
  task = () => ({ state: queries().length < 2 ? "PENDING" : "FAILURE", attempt: queries().length < 2 ? 1 : 2 });
  onLogs = ({ query, response, begin }) => {
    const attempt = Number(query.attempt ?? 1);
    begin(attempt, `log of ${attempt}`);
    response.end();
  };
  expect(await logs("--follow")).toEqual({ code: 0, stdout: "log of 1log of 2", stderr: "Attempt 2:\n" });
  expect(queries()).toEqual(["?offset=0&follow=1", "?offset=0&attempt=2&follow=1"]);
});

test("followed, one attempt that is named is all that is printed", async () => {
  task = () => ({ state: "PENDING", attempt: 2 });
  onLogs = ({ response, begin }) => {
    begin(1, "first\n");
    response.end();
  };
  expect(await logs("--follow", "--attempt", "1")).toMatchObject({ code: 0, stdout: "first\n" });
});

test("Ctrl-C ends it, with what had come by then", async () => {
  onLogs = ({ begin }) => begin(1, "so far\nand a part");
  const child = spawn("sh", ["-c", `exec ${shellCommand(`task logs ${ID} --follow`)}`], { env: environment() });
  let printed = "";
  child.stdout.on("data", (chunk) => {
    printed += chunk;
    if (printed === "so far\n") child.kill("SIGINT");
  });
  const [code] = await once(child, "close");
  expect([code, printed]).toEqual([130, "so far\nand a part"]);
});

test("what is no attempt is refused before any request", async () => {
  for (const wrong of ["0", "x", "1.5", "-1"]) expect((await logs("--attempt", wrong)).code).toBe(2);
  expect(queries()).toEqual([]);
});
