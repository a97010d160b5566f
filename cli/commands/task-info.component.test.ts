import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sendJson } from "../testing/scripted-server.ts";
import { type ScriptedService, startScriptedService, TASK } from "../testing/scripted-service.ts";

let service: ScriptedService;

beforeEach(async () => {
  service = await startScriptedService();
});
afterEach(() => service[Symbol.asyncDispose]());

describe("task", () => {
  test("info prints the four fields, and with -d the rest with the result", async () => {
    await service.loggedIn();
    service.answer = (_request, response) => sendJson(response, 200, TASK);
    const brief = `service name: poseidon\ntask id: ${TASK.task_id}\nstate: SUCCESS\nresult url: ${TASK.result_url}\n`;
    expect(await service.elastic(["task", "info", TASK.task_id])).toMatchObject({ code: 0, stdout: brief, stderr: "" });
    const detail = await service.elastic(["task", "info", TASK.task_id, "-d"]);
    expect(detail.stdout).toContain("\nresult: the proof\n");
    expect(detail.stdout).toContain('\ninput: {"n":1}\n');
    expect(detail.stdout.startsWith(brief)).toBe(true);
  });

  test("info of an unknown task exits with 4 and shows detail and request id", async () => {
    await service.loggedIn();
    service.answer = (_request, response) =>
      sendJson(response, 404, { detail: "No such task.", code: "not_found", request_id: "r-1" });
    const ran = await service.elastic(["task", "info", "../teams"]);
    expect(ran).toMatchObject({
      code: 4,
      stderr: expect.stringMatching(/^error: No such task\. \(request id r-1\)\n/),
    });
    expect(service.server.seen.at(-1)?.path).toBe("/v1/tasks/..%2Fteams");
  });
});
