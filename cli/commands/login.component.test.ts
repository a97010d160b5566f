import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { saveCredentials } from "../session/credentials-file.ts";
import type { Ran } from "../testing/run-binary.ts";
import { sendJson } from "../testing/scripted-server.ts";
import { type ScriptedService, startScriptedService, TEAMS } from "../testing/scripted-service.ts";

let service: ScriptedService;

beforeEach(async () => {
  service = await startScriptedService();
});
afterEach(() => service[Symbol.asyncDispose]());

function login(): Promise<Ran> {
  return service.elastic(["login", "--url", service.server.url, "--api-key", "eps_key", "--team", "studio"]);
}

describe("login", () => {
  test("with flags proves the key, keeps it, and makes the team active for what follows", async () => {
    service.answer = (_request, response) => sendJson(response, 200, TEAMS);
    const stdout = `Logged in to ${service.server.url}; the active team is studio.\n`;
    expect(await login()).toMatchObject({ code: 0, stdout });
    const listed = await service.elastic(["team", "list"]);
    expect(listed).toMatchObject({ code: 0, stdout: "  research\n* studio\n", stderr: "" });
    expect(
      service.server.seen.map(({ path, headers }) => [path.split("?")[0], headers["x-api-key"], headers["x-team"]]),
    ).toEqual([
      ["/v1/teams", "eps_key", undefined],
      ["/v1/teams", "eps_key", "bb"],
    ]);
  });

  test("with a refused key keeps nothing and exits with 3", async () => {
    service.answer = (_request, response) =>
      sendJson(response, 401, { detail: "The key is revoked.", code: "unauthorized" });
    const ran = await login();
    expect(ran.code).toBe(3);
    expect(ran.stderr).toBe(
      `error: ${service.server.url} refused the key: The key is revoked.\nGive a key of the service at ${service.server.url}, or another address by --url.\n`,
    );
    expect((await service.elastic(["team", "list"])).stderr).toContain("You are not logged in.");
  });

  test("without a terminal does not prompt and names the flags", async () => {
    const ran = await service.elastic(["login", "--url", service.server.url]);
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining("--api-key or ELASTIC_API_KEY") });
  });

  test("with a path behind the base address says what the address is", async () => {
    service.answer = (_request, response) =>
      sendJson(response, 404, { detail: "There is nothing at this path.", code: "route_not_found" });
    const ran = await service.elastic(["login", "--url", `${service.server.url}/v1`, "--api-key", "k"]);
    expect(ran).toMatchObject({
      code: 2,
      stderr:
        `error: ${service.server.url}/v1 is not the base address of the service.\n` +
        `Give the address without its path: ${service.server.url}.\n`,
    });
  });

  test("sends no key where it could be read on the way, nor where no address was named", async () => {
    const exposed = await service.elastic(["login", "--url", "http://proving.invalid", "--api-key", "k"]);
    expect(exposed).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("An API key is not sent to http://proving.invalid"),
    });
    const withoutUrl = await service.elastic(["login", "--api-key", "k"]);
    expect(withoutUrl).toMatchObject({ code: 2, stderr: expect.stringContaining("by --url or ELASTIC_URL") });
    const keyAlone = await service.elastic(["team", "list"], { env: { ELASTIC_API_KEY: "eps_key" } });
    expect(keyAlone).toMatchObject({ code: 3, stderr: expect.stringContaining("but ELASTIC_URL is not.") });
    const stored = { url: "http://proving.invalid", apiKey: "eps_key", team: { id: "bb", name: "studio" } };
    await saveCredentials(join(service.home, "config"), stored);
    expect((await service.elastic(["team", "list"])).stderr).toContain("An API key is not sent to");
  });

  test("by https to a port that speaks http says so", async () => {
    const url = service.server.url.replace("http:", "https:");
    const ran = await service.elastic(["login", "--url", url, "--api-key", "k"]);
    expect(ran).toMatchObject({ code: 5, stderr: expect.stringContaining("does not speak https") });
  });

  test("does not send the stored key to another address", async () => {
    await service.loggedIn();
    const other = await service.elastic(["team", "list"], { env: { ELASTIC_URL: "http://127.0.0.1:1" } });
    expect(other).toMatchObject({
      code: 3,
      stderr: expect.stringContaining(`You are logged in to ${service.server.url}`),
    });
  });

  test("is undone by logout", async () => {
    service.answer = (_request, response) => sendJson(response, 200, TEAMS);
    await login();
    expect(await service.elastic(["logout"])).toMatchObject({ code: 0, stdout: "Logged out.\n" });
    expect((await service.elastic(["service", "info", "--service", "x"])).code).toBe(3);
  });
});

describe("login --web", () => {
  const CODE = { device_code: "edc_1", user_code: "BCDF-GHJK", expires_in: 600, interval: 0 };

  function answerWith(...polls: readonly (readonly [number, object])[]): void {
    const left = [...polls];
    service.answer = ({ path }, response) => {
      if (path === "/v1/device/code")
        sendJson(response, 200, { ...CODE, verification_uri: `${service.server.url}/device` });
      else if (path === "/v1/device/token") sendJson(response, ...(left.shift() ?? [500, {}]));
      else sendJson(response, 200, TEAMS);
    };
  }

  function logIn(...more: readonly string[]): Promise<Ran> {
    return service.elastic(["login", "--web", "--url", service.server.url, "--team", "studio", ...more]);
  }

  const PENDING = [400, { code: "authorization_pending", detail: "Not yet." }] as const;

  test("shows the code, waits until it is confirmed, and keeps the key that comes", async () => {
    answerWith(PENDING, [503, { code: "store_unavailable", detail: "Later." }], PENDING, [200, { key: "eps_web" }]);
    const ran = await logIn();
    expect(ran).toMatchObject({ code: 0, stdout: `Logged in to ${service.server.url}; the active team is studio.\n` });
    expect(ran.stderr).toContain(`Open ${service.server.url}/device and type the code BCDF-GHJK there.\n`);
    const { seen } = service.server;
    expect(JSON.parse(seen[0]?.body.toString() ?? "")).toEqual({ host_name: expect.stringMatching(/./) });
    expect(seen.map(({ headers }) => headers["x-api-key"])).toEqual([...Array(5).fill(undefined), "eps_web"]);
    await service.elastic(["team", "list"]);
    expect(seen.at(-1)?.headers["x-api-key"]).toBe("eps_web");
  });

  test("says that the user declined, and keeps nothing", async () => {
    answerWith(PENDING, [400, { code: "access_denied", detail: "The user declined the login." }]);
    const ran = await logIn("--json");
    expect(ran.code).not.toBe(0);
    expect(ran.stderr).toContain("BCDF-GHJK");
    expect(ran.stderr).toContain('"access_denied"');
    expect((await service.elastic(["team", "list"])).code).toBe(3);
  });

  test("takes no API key with it", async () => {
    expect((await logIn("--api-key", "eps_1")).code).toBe(2);
  });
});

test("team switch changes the active team", async () => {
  await service.loggedIn();
  service.answer = (_request, response) => sendJson(response, 200, TEAMS);
  expect(await service.elastic(["team", "switch", "research"])).toMatchObject({ code: 0 });
  expect((await service.elastic(["team", "list"])).stdout).toBe("* research\n  studio\n");
});
