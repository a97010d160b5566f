/** A shell of a cluster under test, ready to be logged into. */
import { until } from "@elastic/deploy/local/until.ts";
import type { ApiClient } from "./api-client.ts";

export interface TestShell {
  readonly shell_id: string;
  readonly password: string;
  readonly state: string;
  readonly failure: { readonly reason: string; readonly message: string } | null;
}

const READY_WITHIN_MS = 90_000;

/** Returns its id. */
export async function createShell(client: ApiClient, options: object = {}): Promise<string> {
  const created = await client.call("/v1/shells", {
    method: "POST",
    body: JSON.stringify({ home_bytes: 2 ** 30, memory_bytes: 2 ** 29, ...options }),
    headers: { "content-type": "application/json" },
  });
  if (created.status !== 202) throw new Error(`${created.status} ${created.text}`);
  return (JSON.parse(created.text) as TestShell).shell_id;
}

export async function readyShell(client: ApiClient, options: object = {}): Promise<TestShell> {
  const id = await createShell(client, options);
  return await until(
    `shell ${id} is ready`,
    async () => {
      const shell = await shellOf(client, id);
      if (shell.state === "READY") return shell;
      throw new Error(`it is ${shell.state}`);
    },
    { timeoutMs: READY_WITHIN_MS },
  );
}

export async function shellOf(client: ApiClient, id: string): Promise<TestShell> {
  return JSON.parse((await client.call(`/v1/shells/${id}`)).text) as TestShell;
}
