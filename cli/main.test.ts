import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Ran, runBinary } from "./testing/run-binary.ts";
import { type ScriptedServer, type SeenRequest, sendJson, startScriptedServer } from "./testing/scripted-server.ts";

const SERVICE = {
  service_id: "0193a0b0c0d0e0f00193a0b0c0d0e0f0",
  service_name: "poseidon",
  team_id: "aa",
  team_name: "research",
  state: "Ready",
  created: "2026-11-21T10:00:00",
  service_url: "http://h/v1/services/0193a0b0c0d0e0f00193a0b0c0d0e0f0",
  image_tag: "v1",
  failure: null,
};
const TASK = {
  task_id: "0193a0b0c0d0e0f00193a0b0c0d0e0f1",
  service_id: SERVICE.service_id,
  service_name: "poseidon",
  team_id: "aa",
  creator_id: "0193a0b0c0d0e0f00193a0b0c0d0e0f2",
  state: "SUCCESS",
  phase: "succeeded",
  input: '{"n":1}',
  result: "the proof",
  result_url: "http://h/v1/tasks/x/result?sig=y",
  created: "2026-11-21T10:00:00",
  started: "2026-11-21T10:00:01",
  finished: "2026-11-21T10:00:02",
  attempt: 1,
  failure: null,
};
const TEAMS = {
  items: [
    { team_id: "aa", name: "research" },
    { team_id: "bb", name: "studio" },
  ],
  pages: 1,
};

let home: string;
let server: ScriptedServer;
let answer: (request: SeenRequest, response: ServerResponse) => void;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "elastic-cli-"));
  server = await startScriptedServer((request, response) => answer(request, response));
});
afterEach(async () => {
  await server.stop();
  await rm(home, { recursive: true });
});

function elastic(args: readonly string[], more: { env?: Record<string, string>; stdin?: Buffer } = {}): Promise<Ran> {
  const env = { ELASTIC_CONFIG_DIR: join(home, "config"), ...more.env };
  return runBinary(args, { directory: home, env, ...(more.stdin === undefined ? {} : { stdin: more.stdin }) });
}

async function loggedIn(): Promise<void> {
  answer = (_request, response) => sendJson(response, 200, TEAMS);
  const ran = await elastic(["login", "--url", server.url, "--api-key", "eps_key", "--team", "studio"]);
  expect(ran).toMatchObject({ code: 0, stdout: `Logged in to ${server.url}; the active team is studio.\n` });
}

describe("login", () => {
  test("with flags proves the key, keeps it, and makes the team active for what follows", async () => {
    await loggedIn();
    const listed = await elastic(["team", "list"]);
    expect(listed).toMatchObject({ code: 0, stdout: "  research\n* studio\n", stderr: "" });
    expect(
      server.seen.map(({ path, headers }) => [path.split("?")[0], headers["x-api-key"], headers["x-team"]]),
    ).toEqual([
      ["/v1/teams", "eps_key", undefined],
      ["/v1/teams", "eps_key", "bb"],
    ]);
  });

  test("with a refused key keeps nothing and exits with 3", async () => {
    answer = (_request, response) => sendJson(response, 401, { detail: "The key is revoked.", code: "unauthorized" });
    const ran = await elastic(["login", "--url", server.url, "--api-key", "eps_key", "--team", "studio"]);
    expect(ran.code).toBe(3);
    expect(ran.stderr).toBe(
      `error: ${server.url} refused the key: The key is revoked.\nGive a key of the service at ${server.url}, or another address by --url.\n`,
    );
    expect((await elastic(["team", "list"])).stderr).toContain("You are not logged in.");
  });

  test("without a terminal asks for nothing and names the flags", async () => {
    const ran = await elastic(["login", "--url", server.url]);
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining("--api-key or ELASTIC_API_KEY") });
  });

  test("with a path behind the base address says what the address is", async () => {
    answer = (_request, response) =>
      sendJson(response, 404, { detail: "There is nothing at this path.", code: "route_not_found" });
    const ran = await elastic(["login", "--url", `${server.url}/v1`, "--api-key", "k"]);
    expect(ran).toMatchObject({
      code: 2,
      stderr:
        `error: ${server.url}/v1 is not the base address of the service.\n` +
        `Give the address without its path: ${server.url}.\n`,
    });
  });

  test("warns when the key can be read on the way", async () => {
    const ran = await elastic(["login", "--url", "http://proving.invalid", "--api-key", "k"]);
    expect(ran).toMatchObject({ code: 5, stderr: expect.stringContaining("is not encrypted") });
  });

  test("by https to a port that speaks http says so", async () => {
    const ran = await elastic(["login", "--url", server.url.replace("http:", "https:"), "--api-key", "k"]);
    expect(ran).toMatchObject({ code: 5, stderr: expect.stringContaining("does not speak https") });
  });

  test("does not send the stored key to another address", async () => {
    await loggedIn();
    const other = await elastic(["team", "list"], { env: { ELASTIC_URL: "http://127.0.0.1:1" } });
    expect(other).toMatchObject({ code: 3, stderr: expect.stringContaining(`You are logged in to ${server.url}`) });
  });

  test("is undone by logout", async () => {
    await loggedIn();
    expect(await elastic(["logout"])).toMatchObject({ code: 0, stdout: "Logged out.\n" });
    expect((await elastic(["service", "info", "--service", "x"])).code).toBe(3);
  });
});

test("team switch changes the active team", async () => {
  await loggedIn();
  expect(await elastic(["team", "switch", "research"])).toMatchObject({ code: 0 });
  expect((await elastic(["team", "list"])).stdout).toBe("* research\n  studio\n");
});

describe("service", () => {
  test("create links the directory once, and info prints what the link names", async () => {
    await loggedIn();
    answer = ({ method }, response) => sendJson(response, method === "POST" ? 201 : 200, SERVICE);
    expect((await elastic(["service", "create", "poseidon"])).code).toBe(0);
    expect(JSON.parse(await readFile(join(home, ".elastic.json"), "utf8"))).toEqual({
      url: server.url,
      service_id: SERVICE.service_id,
      service_name: "poseidon",
    });
    expect((await elastic(["service", "info"])).stdout).toBe(
      [
        `service id: ${SERVICE.service_id}`,
        "service name: poseidon",
        "team name: research",
        "state: READY",
        "created: 2026-11-21T10:00:00",
        `service url: ${SERVICE.service_url}`,
        "image tag: v1",
        "",
      ].join("\n"),
    );
    const calls = server.seen.length;
    expect(await elastic(["service", "create", "another"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("a directory has one service"),
    });
    expect(server.seen.length).toBe(calls);
  });

  test("info without a link says how to make one", async () => {
    await loggedIn();
    expect(await elastic(["service", "info"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("elastic service create <name>"),
    });
  });
});

describe("deploy", () => {
  const deployment = { deployment_id: "dd", service_id: SERVICE.service_id, image: "i", tag: "v1", state: "Unready" };

  test("sends the image as it is given, and waits until it serves", async () => {
    await loggedIn();
    let asked = 0;
    answer = ({ method, path }, response) => {
      if (method === "POST") return sendJson(response, 202, deployment);
      if (!path.includes("/deployments/")) return sendJson(response, 200, SERVICE);
      asked += 1;
      const [state, stage] = asked < 2 ? ["Unready", "waiting"] : ["Ready", "ready"];
      sendJson(response, 200, { ...deployment, state, stage, stage_note: "no free slot", failure: null });
    };
    const args = ["deploy", "--service", SERVICE.service_id, "--image", "h:5000/a/b:1", "--tag", "v1"];
    const ran = await elastic([...args, "--env", "A=1=2", "--env", "B=", "--min", "0", "--max", "3"]);
    expect(ran).toEqual({
      code: 0,
      stdout: `Ready. Endpoint: ${SERVICE.service_url}\n`,
      stderr: "Waiting: no free slot\n",
    });
    const posted = server.seen.find(({ method }) => method === "POST");
    expect(JSON.parse(String(posted?.body))).toEqual({
      image: "h:5000/a/b:1",
      tag: "v1",
      env: { A: "1=2", B: "" },
      scaling: { min: 0, max: 3 },
    });
  });

  test("with --json prints the records as they are after the wait, which --wait asks for too", async () => {
    await loggedIn();
    answer = ({ method, path }, response) => {
      if (method === "POST") return sendJson(response, 202, deployment);
      const record = path.includes("/deployments/") ? { ...deployment, state: "Ready", failure: null } : SERVICE;
      sendJson(response, 200, record);
    };
    const ran = await elastic(["deploy", "--service", SERVICE.service_id, "--image", "h:1/i", "--wait", "--json"]);
    expect(JSON.parse(ran.stdout)).toMatchObject({ state: "Ready", service: { state: "Ready" } });
  });

  test.each([
    [["--image", ""], "The image name is empty."],
    [["--image", "i", "--tag", " "], "The tag is empty."],
    [["--image", "i", "--service", ""], "The service is empty."],
    [
      ["--image", "i", "--tag", "bad tag!"],
      "option '--tag <tag>' argument 'bad tag!' is invalid. Give up to 128 letters, digits, dots, dashes and underscores.",
    ],
    [
      ["--image", "i", "--env", "BAD-KEY=1"],
      "option '--env <key=value>' argument 'BAD-KEY=1' is invalid. A name has letters, digits and underscores, and begins with no digit.",
    ],
    [["--image", "i", "--min", "2", "--max", "1"], "--min is larger than --max."],
    [["--image", "i", "--timeout", "5", "--no-wait"], "--timeout has no effect with --no-wait."],
    [["--image", "../etc/passwd"], '"../etc/passwd" is not the name of an image.'],
    [["--image", "h:1/a/../../x"], '"h:1/a/../../x" is not the name of an image.'],
    [[], "There is nothing to deploy: nothing was built here."],
  ])("with %j sends nothing and says: %s", async (args, message) => {
    const ran = await elastic(["deploy", ...args]);
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining(`error: ${message}\n`) });
    expect(server.seen).toEqual([]);
  });

  test("prints why it failed", async () => {
    await loggedIn();
    const why = { reason: "image_unavailable", message: "The registry has no such tag." };
    const failure = { stage: "pulling", ...why, exit_code: null, log_tail: "one\ntwo\n" };
    answer = ({ method }, response) =>
      sendJson(response, 200, method === "POST" ? deployment : { ...deployment, state: "Failed", failure });
    const ran = await elastic(["deploy", "--service", SERVICE.service_id, "--image", "builtin:i"]);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toBe(
      "| one\n| two\nerror: The deployment failed as the image was pulled: image_unavailable: The registry has no such tag.\n" +
        "Correct the image or its settings and run `elastic deploy` again.\n",
    );
  });

  test.each([[["--env", "novalue"]], [["--min", "-1"]], [["--max", "1.5"]], [[]]])(
    "with %j is a usage error",
    async (args) => {
      const given = args.length === 0 ? [] : ["--image", "i", ...args];
      expect((await elastic(["deploy", ...given])).code).toBe(2);
    },
  );
});

describe("task", () => {
  test("create sends the input byte for byte and prints the next command", async () => {
    await loggedIn();
    answer = (_request, response) => sendJson(response, 201, { ...TASK, state: "PENDING", result: null });
    const input = ' {"n":12345678901234567890,"a":1,"a":2,"x":1e400}\n';
    await writeFile(join(home, "input.json"), input);
    const ways = [
      ["--json", input],
      ["--file", "input.json"],
      ["--file", "-"],
    ];
    for (const way of ways) {
      const ran = await elastic(["task", "create", "--service", SERVICE.service_id, ...way], {
        stdin: Buffer.from(input),
      });
      expect(ran).toMatchObject({ code: 0, stdout: `elastic task info ${TASK.task_id}\n` });
      expect(server.seen.at(-1)).toMatchObject({
        path: `/v1/services/${SERVICE.service_id}`,
        body: Buffer.from(`{"input":${input}}`),
      });
    }
  });

  test("create prints the record with --output json, its --json being the input", async () => {
    await loggedIn();
    answer = (_request, response) => sendJson(response, 201, TASK);
    const ran = await elastic(["task", "create", "--service", SERVICE.service_id, "--json", "{}", "--output", "json"]);
    expect(JSON.parse(ran.stdout)).toEqual(TASK);
  });

  test.each([
    ["no JSON", ["--json", "{"], "is not JSON"],
    ["an empty stdin", ["--file", "-"], "The input from stdin is empty.\nIt is one JSON text, such as '{"],
    ["JSON that closes the envelope", ["--json", '1},"input":{'], "is not JSON"],
    ["both sources", ["--json", "{}", "--file", "x"], "Give only one of"],
    ["no source", [], "The input is missing"],
    ["a file that does not exist", ["--file", "absent.json"], "it does not exist"],
    ["a directory", ["--file", "."], "Could not read .: it is a directory."],
    ["an empty path", ["--file", ""], "The path of the input is empty."],
  ])("create with %s sends nothing", async (_name, args, message) => {
    await loggedIn();
    const ran = await elastic(["task", "create", "--service", SERVICE.service_id, ...args]);
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
    expect(server.seen.filter(({ method }) => method === "POST")).toEqual([]);
  });

  test("info prints the four fields, and with -d the rest with the result", async () => {
    await loggedIn();
    answer = (_request, response) => sendJson(response, 200, TASK);
    const brief = `service name: poseidon\ntask id: ${TASK.task_id}\nstate: SUCCESS\nresult url: ${TASK.result_url}\n`;
    expect(await elastic(["task", "info", TASK.task_id])).toMatchObject({ code: 0, stdout: brief, stderr: "" });
    const detail = await elastic(["task", "info", TASK.task_id, "-d"]);
    expect(detail.stdout).toContain("\nresult: the proof\n");
    expect(detail.stdout).toContain('\ninput: {"n":1}\n');
    expect(detail.stdout.startsWith(brief)).toBe(true);
  });

  test("info of an unknown task exits with 4 and shows detail and request id", async () => {
    await loggedIn();
    answer = (_request, response) =>
      sendJson(response, 404, { detail: "No such task.", code: "not_found", request_id: "r-1" });
    const ran = await elastic(["task", "info", "../teams"]);
    expect(ran).toMatchObject({
      code: 4,
      stderr: expect.stringMatching(/^error: No such task\. \(request id r-1\)\n/),
    });
    expect(server.seen.at(-1)?.path).toBe("/v1/tasks/..%2Fteams");
  });
});

describe("whatever the server answers", () => {
  async function info(script: typeof answer, args: readonly string[] = []): Promise<Ran> {
    await loggedIn();
    answer = script;
    return elastic(["task", "info", "x", ...args]);
  }

  test("escape sequences are not printed", async () => {
    const ran = await info((_request, response) =>
      sendJson(response, 422, {
        detail: "bad\u001b[2J\u009b31m\u0007 input",
        errors: [{ pointer: "/a", detail: "no\u001b]0;x\u0007" }],
      }),
    );
    expect(ran.stderr).toBe("error: bad input a: no\n");
  });

  test("503 says when to come back, and exits with 5", async () => {
    const ran = await info((_request, response) =>
      sendJson(response, 503, { detail: "Away." }, { "retry-after": "2" }),
    );
    expect(ran).toMatchObject({ code: 5, stderr: "error: Away.\nRun the command again in 2 s.\n" });
  });

  test("errors are JSON for programs", async () => {
    const ran = await info(
      (_request, response) => sendJson(response, 403, { detail: "No.", code: "forbidden" }),
      ["--json"],
    );
    expect(JSON.parse(ran.stderr)).toMatchObject({ error: { code: "forbidden", message: "No.", exit_code: 1 } });
    expect(ran.stdout).toBe("");
  });

  test("a page that is not the service's is named as such", async () => {
    const ran = await info((_request, response) => response.writeHead(200).end("<html>hello</html>"));
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining("not as the Elastic Proving Service") });
  });

  test("a redirect is not followed, so that the key stays here", async () => {
    const calls = server.seen.length;
    const ran = await info((_request, response) => response.writeHead(307, { location: `${server.url}/else` }).end());
    expect(ran.code).toBe(1);
    expect(server.seen.slice(calls).some(({ path }) => path === "/else")).toBe(false);
  });

  test("a cut connection and a closed port are explained, and exit with 5", async () => {
    const cut = await info((_request, response) => response.socket?.destroy());
    expect(cut).toMatchObject({ code: 5, stderr: expect.stringContaining("the connection was cut") });
    await server.stop();
    const closed = await elastic(["task", "info", "x"]);
    expect(closed).toMatchObject({ code: 5, stderr: expect.stringContaining("nothing listens there") });
  });
});

test.each([
  "",
  "login",
  "logout",
  "team",
  "team list",
  "team switch",
  "team members",
  "team invite",
  "team invitations",
  "team join",
  "team remove",
  "key",
  "key list",
  "key create",
  "key revoke",
  "service",
  "service create",
  "service info",
  "service list",
  "service delete",
  "deploy",
  "deployment",
  "deployment list",
  "deployment info",
  "deployment rollback",
  "data",
  "data upload",
  "data ls",
  "data delete",
  "task",
  "task create",
  "task info",
  "task wait",
  "task list",
  "task cancel",
])("elastic %s --help shows examples", async (words) => {
  const ran = await elastic([...words.split(" ").filter(Boolean), "--help"]);
  expect(ran).toMatchObject({ code: 0, stderr: "", stdout: expect.stringContaining("Examples:\n  $ ") });
});

test.each(["publish", "publish --help", "-h publish", "help publish", "team publish --help", "help team publish"])(
  "elastic %s names the command that does not exist",
  async (words) => {
    expect(await elastic(words.split(" "))).toMatchObject({
      code: 2,
      stdout: "",
      stderr: "error: unknown command 'publish'\nRun `elastic --help` to see the commands.\n",
    });
  },
);

test.each([
  ["nonsense --json", "unknown command 'nonsense'"],
  ["team nonsense --output json", "unknown command 'nonsense'"],
  ["task info --json", "missing required argument 'task_id'"],
  ["task list --limit 0 --output=json", "'--limit <count>' argument '0' is invalid"],
  ["task create --output json", "The input is missing"],
  ["--json team", "unknown option '--json'"],
])("elastic %s tells the mistake as JSON", async (words, message) => {
  const ran = await elastic(words.split(" "));
  expect([ran.code, ran.stdout]).toEqual([2, ""]);
  const { error } = JSON.parse(ran.stderr);
  expect(error).toMatchObject({ code: "usage", message: expect.stringContaining(message), exit_code: 2 });
});

test("the --json of task create is its input, and asks for no JSON", async () => {
  const ran = await elastic(["task", "create", "--json", "{"]);
  expect(ran).toMatchObject({ code: 2, stderr: expect.stringMatching(/^error: /) });
});

test.each(["help team", "help task info", "team -h", "task help create"])("elastic %s shows help", async (words) => {
  const ran = await elastic(words.split(" "));
  expect(ran).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Usage: elastic t/) });
});
