import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDevCa } from "@elastic/deploy/dev-ca.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Ran, runBinary } from "../testing/run-binary.ts";

let folder: string;
let server: Server;
let url: string;
let ca: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "elastic-cli-ca-"));
  const files = openDevCa(join(folder, "ca")).coordinator();
  ca = files.ca;
  const tls = { key: readFileSync(files.key), cert: readFileSync(files.cert) };
  server = createServer(tls, (_request, response) => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ items: [{ team_id: "aa", name: "research" }], pages: 1 }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
  rmSync(folder, { recursive: true });
});

function elastic(args: readonly string[], env: Record<string, string> = {}): Promise<Ran> {
  return runBinary(args, { directory: folder, env: { ELASTIC_CONFIG_DIR: join(folder, "config"), ...env } });
}

test("a service with a private authority is trusted once the authority is named, and remembered", async () => {
  const login = ["login", "--url", url, "--api-key", "eps_key", "--team", "research"];
  expect(await elastic(login)).toMatchObject({ code: 5, stderr: expect.stringContaining("--ca-file") });
  expect(await elastic([...login, "--ca-file", ca])).toMatchObject({ code: 0, stderr: "" });
  expect(await elastic(["team", "list"])).toMatchObject({ code: 0, stdout: "* research\n" });
  expect(await elastic(["team", "list"], { ELASTIC_CA_FILE: ca })).toMatchObject({ code: 0 });
});

test("a file that is no authority is refused before anything is sent", async () => {
  const wrong = join(folder, "not-a-certificate");
  writeFileSync(wrong, "hello");
  const env = { ELASTIC_URL: url, ELASTIC_API_KEY: "eps_key" };
  for (const [path, message] of [
    [wrong, "no certificate"],
    [join(folder, "missing"), "cannot be read"],
  ] as const) {
    const ran = await elastic(["team", "list"], { ...env, ELASTIC_CA_FILE: path });
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  }
});
