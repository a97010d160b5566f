/** The lines of docs/run-tasks.md, as they are pasted. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { inRepository } from "../local/repository.ts";

test("the lines for a service of one's own deploy to the service that they made", async () => {
  const guide = readFileSync(inRepository("docs", "run-tasks.md"), "utf8");
  const [, lines = ""] = /^A service of your own[^\n]*\n\n```\n(.+?)```/ms.exec(guide) ?? [];
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    response.end('{"service_id":"new","service_name":"my-other-poseidon","state":"Unready"}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const env = { PATH: process.env.PATH, URL: url, KEY: "eps_key", SERVICE: "the-demos" };
  await promisify(execFile)("bash", ["-ec", lines], { env });
  server.close();
  expect(requests).toEqual(["POST /v1/services", "POST /v1/services/new/deployments", "GET /v1/services/new"]);
});
