/** Makes a data volume as a client does: its files first, then the volume of them. */
import { createHash } from "node:crypto";
import type { ApiClient } from "./api-client.ts";

export async function uploadVolume(
  client: ApiClient,
  name: string,
  contents: Readonly<Record<string, string | Buffer>>,
): Promise<string> {
  const files = Object.entries(contents).map(([path, content]) => {
    const data = new Uint8Array(Buffer.from(content));
    return { path, sha256: createHash("sha256").update(data).digest("hex"), bytes: data.length, data };
  });
  for (const { sha256, data } of files) {
    const headers = { "content-type": "application/octet-stream" };
    const put = await client.call(`/v1/volumes/files/${sha256}`, { method: "PUT", body: data, headers });
    if (put.status !== 200) throw new Error(`a file was not taken: ${put.status} ${put.text}`);
  }
  const body = JSON.stringify({ name, files: files.map(({ path, sha256, bytes }) => ({ path, sha256, bytes })) });
  const headers = { "content-type": "application/json" };
  const made = await client.call("/v1/volumes", { method: "POST", body, headers });
  if (made.status !== 201) throw new Error(`no volume: ${made.status} ${made.text}`);
  return (made.json as { readonly volume_id: string }).volume_id;
}
