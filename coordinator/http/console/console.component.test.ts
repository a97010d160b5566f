import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sendRaw } from "../testing/call.ts";
import { type HttpFixture, startHttpFixture } from "../testing/http-fixture.ts";
import { type SecondCoordinator, startSecondCoordinator } from "../testing/second-coordinator.ts";

const HTML = { accept: "text/html,application/xhtml+xml" };

let api: HttpFixture;
let withConsole: SecondCoordinator;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "console-"));
  mkdirSync(join(folder, "assets"));
  writeFileSync(join(folder, "index.html"), '<meta name="style-nonce" content="__NONCE__">');
  writeFileSync(join(folder, "assets", "index-abc.js"), "plain()");
  writeFileSync(join(folder, "assets", "index-abc.js.gz"), "zipped");
  api = await startHttpFixture();
  const config = { ...api.options.config, consoleFolder: folder };
  withConsole = await startSecondCoordinator(api, { config });
});
afterAll(async () => {
  await withConsole[Symbol.asyncDispose]();
  await api.close();
  rmSync(folder, { recursive: true });
});

test.each(["/", "/login", "/services/00", "/settings/task-hisotry"])(
  "sends the page at %s under a strict policy",
  async (path) => {
    const [first, second] = [await open(path), await open(path)];
    expect(first.status).toBe(200);
    const policy = first.headers.get("content-security-policy") ?? "";
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? "none";
    expect(await first.text()).toContain(`content="${nonce}"`);
    expect(policy).toContain("default-src 'none'; script-src 'self'; ");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe/);
    expect(second.headers.get("content-security-policy")).not.toBe(policy);
    expect(first.headers.get("cache-control")).toBe("no-store");
    expect(first.headers.get("cross-origin-opener-policy")).toBe("same-origin");
    expect(first.headers.get("x-content-type-options")).toBe("nosniff");
  },
);

test("sends a file by its name for good, compressed where the browser takes that", async () => {
  const plain = await fetch(`${withConsole.url}/assets/index-abc.js`, { headers: { "accept-encoding": "identity" } });
  expect([plain.status, await plain.text()]).toEqual([200, "plain()"]);
  expect(plain.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  const zipped = await fetch(`${withConsole.url}/assets/index-abc.js`, {
    method: "HEAD",
    headers: { "accept-encoding": "gzip" },
  });
  expect(zipped.headers.get("content-encoding")).toBe("gzip");
});

test.each(["/assets/gone.js", "/v1/nothing", "/v2/tasks"])("sends no page at %s", async (path) => {
  const refused = await open(path);
  expect(refused.status).toBe(404);
  expect(refused.headers.get("content-type")).toContain("problem+json");
});

test.each(["/assets/../index.html", "/assets/%2e%2e/index.html", "/assets/..%2findex.html", "/assets//etc/passwd"])(
  "sends no file outside its folder at %s",
  async (path) => {
    const head = `GET ${path} HTTP/1.1\r\nhost: console\r\nconnection: close\r\n\r\n`;
    expect((await sendRaw(withConsole.url, head)).status).toBe(404);
  },
);

test("responds to a program at / with a problem, and to a browser too where there is no console", async () => {
  expect((await fetch(withConsole.url)).status).toBe(404);
  expect((await fetch(api.url, { headers: HTML })).status).toBe(404);
});

function open(path: string): Promise<Response> {
  return fetch(withConsole.url + path, { headers: HTML });
}
