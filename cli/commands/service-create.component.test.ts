import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sendJson } from "../testing/scripted-server.ts";
import { type ScriptedService, SERVICE, startScriptedService } from "../testing/scripted-service.ts";

let service: ScriptedService;

beforeEach(async () => {
  service = await startScriptedService();
});
afterEach(() => service[Symbol.asyncDispose]());

describe("service", () => {
  test("create links the directory once, and info prints what the link names", async () => {
    await service.loggedIn();
    service.answer = ({ method }, response) => sendJson(response, method === "POST" ? 201 : 200, SERVICE);
    expect((await service.elastic(["service", "create", "poseidon"])).code).toBe(0);
    expect(JSON.parse(await readFile(join(service.home, ".elastic.json"), "utf8"))).toEqual({
      url: service.server.url,
      service_id: SERVICE.service_id,
      service_name: "poseidon",
    });
    expect((await service.elastic(["service", "info"])).stdout).toBe(
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
    const calls = service.server.seen.length;
    expect(await service.elastic(["service", "create", "another"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("a directory has one service"),
    });
    expect(service.server.seen.length).toBe(calls);
  });

  test("info shows what keeps the prover of the deployment that comes up from being ready", async () => {
    await service.loggedIn();
    const starting = { warning: "it listens on port 3000", log_tail: "" };
    service.answer = ({ path }, response) =>
      sendJson(response, 200, path.includes("/deployments/") ? { starting } : { ...SERVICE, next_deployment_id: "dd" });
    const ran = await service.elastic(["service", "info", "--service", SERVICE.service_id]);
    expect(ran.stderr).toBe("The deployment dd is coming up; none serves yet.\nWarning: it listens on port 3000.\n");
  });

  test("info without a link says how to make one", async () => {
    await service.loggedIn();
    expect(await service.elastic(["service", "info"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("elastic service create <name>"),
    });
  });
});
