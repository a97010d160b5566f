import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Ran } from "./testing/run-binary.ts";
import { type Script, sendJson } from "./testing/scripted-server.ts";
import { type ScriptedService, startScriptedService } from "./testing/scripted-service.ts";

let service: ScriptedService;

beforeEach(async () => {
  service = await startScriptedService();
});
afterEach(() => service[Symbol.asyncDispose]());

describe("whatever the server responds", () => {
  async function info(script: Script, args: readonly string[] = []): Promise<Ran> {
    await service.loggedIn();
    service.answer = script;
    return service.elastic(["task", "info", "x", ...args]);
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

  test("503 that lasts until the operator acts requests no repetition of the command", async () => {
    const detail = "Nothing is read until the operator acts.";
    const ran = await info((_request, response) => sendJson(response, 503, { detail, code: "store_changed" }));
    expect(ran).toMatchObject({ code: 5, stderr: `error: ${detail}\n` });
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
    const calls = service.server.seen.length;
    const ran = await info((_request, response) =>
      response.writeHead(307, { location: `${service.server.url}/else` }).end(),
    );
    expect(ran.code).toBe(1);
    expect(service.server.seen.slice(calls).some(({ path }) => path === "/else")).toBe(false);
  });

  test("a cut connection and a closed port are explained, and exit with 5", async () => {
    const cut = await info((_request, response) => response.socket?.destroy());
    expect(cut).toMatchObject({ code: 5, stderr: expect.stringContaining("the connection was cut") });
    await service.server.stop();
    const closed = await service.elastic(["task", "info", "x"]);
    expect(closed).toMatchObject({ code: 5, stderr: expect.stringContaining("nothing listens there") });
  });
});
