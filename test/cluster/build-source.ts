/** Builds an image as a client does: its source first, then the build, then what it wrote. */
import { type Archive, archiveOf, type Entries } from "@elastic/agent/builds/testing/archive.ts";
import { until } from "@elastic/deploy/local/until.ts";
import type { ApiClient } from "./api-client.ts";

const END_TIMEOUT_MS = 120_000;

export interface BuildRecord {
  readonly build_id: string;
  readonly phase: "queued" | "running" | "succeeded" | "failed" | "cancelled";
  readonly waiting_for: string | null;
  readonly failure: { readonly reason: string; readonly message: string; readonly line: number | null } | null;
  readonly image: string | null;
  readonly runs: number;
  readonly node_id: string | null;
  readonly reused_from: string | null;
  readonly stages: readonly { readonly name: string; readonly seconds: number }[];
}

export async function sendSource(client: ApiClient, { sha256, bytes }: Archive): Promise<void> {
  const headers = { "content-type": "application/octet-stream" };
  const response = await client.call(`/v1/volumes/files/${sha256}`, {
    method: "PUT",
    body: new Uint8Array(bytes),
    headers,
  });
  if (response.status !== 200) throw new Error(`the source was not accepted: ${response.status} ${response.text}`);
}

/** Returns the record as it is created. */
export async function createBuild(
  client: ApiClient,
  serviceId: string,
  source: Entries | Archive,
  more: object = {},
): Promise<BuildRecord> {
  const archive = "bytes" in source ? source : await archiveOf(source);
  await sendSource(client, archive);
  const parts = [{ sha256: archive.sha256, bytes: archive.bytes.length }];
  const body = JSON.stringify({ source: { parts }, ...more });
  const headers = { "content-type": "application/json" };
  const response = await client.call(`/v1/services/${serviceId}/builds`, { method: "POST", body, headers });
  if (response.status !== 202) throw new Error(`the build was not accepted: ${response.status} ${response.text}`);
  return response.json as BuildRecord;
}

export function endedBuild(client: ApiClient, id: string): Promise<BuildRecord> {
  return buildThat(client, id, "has ended", ({ phase }) => phase !== "queued" && phase !== "running");
}

export function buildThat(
  client: ApiClient,
  id: string,
  what: string,
  holds: (build: BuildRecord) => boolean,
): Promise<BuildRecord> {
  return until(
    `build ${id} ${what}`,
    async () => {
      const build = (await client.call(`/v1/builds/${id}`)).json as BuildRecord;
      if (holds(build)) return build;
      throw new Error(`it is ${JSON.stringify(build)}`);
    },
    { timeoutMs: END_TIMEOUT_MS, everyMs: 50 },
  );
}

export async function buildLog(client: ApiClient, id: string, query = ""): Promise<string> {
  return (await client.call(`/v1/builds/${id}/log${query}`)).text;
}
