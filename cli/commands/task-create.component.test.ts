import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sendJson } from "../testing/scripted-server.ts";
import { type ScriptedService, SERVICE, startScriptedService, TASK } from "../testing/scripted-service.ts";

let service: ScriptedService;

beforeEach(async () => {
  service = await startScriptedService();
});
afterEach(() => service[Symbol.asyncDispose]());

describe("task", () => {
  test("create sends the input byte for byte and prints the next command", async () => {
    await service.loggedIn();
    service.answer = (_request, response) => sendJson(response, 201, { ...TASK, state: "PENDING", result: null });
    const input = ' {"n":12345678901234567890,"a":1,"a":2,"x":1e400}\n';
    await writeFile(join(service.home, "input.json"), input);
    const ways = [
      ["--json", input],
      ["--file", "input.json"],
      ["--file", "-"],
    ];
    for (const way of ways) {
      const ran = await service.elastic(["task", "create", "--service", SERVICE.service_id, ...way], {
        stdin: Buffer.from(input),
      });
      expect(ran).toMatchObject({ code: 0, stdout: `elastic task info ${TASK.task_id}\n` });
      expect(service.server.seen.at(-1)).toMatchObject({
        path: `/v1/services/${SERVICE.service_id}`,
        body: Buffer.from(`{"input":${input}}`),
      });
    }
  });

  test("create prints the record with --output json, its --json being the input", async () => {
    await service.loggedIn();
    service.answer = (_request, response) => sendJson(response, 201, TASK);
    const ran = await service.elastic([
      "task",
      "create",
      "--service",
      SERVICE.service_id,
      "--json",
      "{}",
      "--output",
      "json",
    ]);
    expect(JSON.parse(ran.stdout)).toEqual(TASK);
  });

  test.each([
    ["text", `Task ${TASK.task_id}\n`],
    ["json", `{"task_id":"${TASK.task_id}"}\n`],
  ])(
    "create --wait with %s output prints the id first, and on Ctrl-C how to follow the task",
    async (format, first) => {
      await service.loggedIn();
      const pending = { ...TASK, state: "PENDING", result: null };
      service.answer = ({ method }, response) => {
        if (method === "POST") sendJson(response, 201, pending);
      };
      const args = ["task", "create", "--service", SERVICE.service_id, "--json", "{}", "--wait", "--output", format];
      const ran = await service.elastic(args, { interruptAfter: first });
      expect(ran).toMatchObject({ code: 130, stdout: "" });
      expect(ran.stderr.startsWith(first)).toBe(true);
      expect(ran.stderr).toContain(`Interrupted. The task ${TASK.task_id} continues.`);
      expect(ran.stderr).toContain(`Run \`elastic task wait ${TASK.task_id}\``);
    },
  );

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
    await service.loggedIn();
    const ran = await service.elastic(["task", "create", "--service", SERVICE.service_id, ...args]);
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
    expect(service.server.seen.filter(({ method }) => method === "POST")).toEqual([]);
  });
});
