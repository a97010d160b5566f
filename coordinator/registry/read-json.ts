/** Reads JSON of a registry, bounded in time and size. */

const BYTES_MAX = 1024 * 1024;

interface ReadOptions {
  readonly token: string;
  readonly signal: AbortSignal;
  readonly accept?: string;
}

/** Null for what the registry does not have. Throws an error that says what the registry did instead. */
export async function readJson(url: string, { token, signal, accept }: ReadOptions): Promise<unknown> {
  const headers = { authorization: `Bearer ${token}`, ...(accept === undefined ? {} : { accept }) };
  // A registry that is allowed cannot redirect the request to one that is not.
  const response = await fetch(url, { headers, redirect: "error", signal });
  if (response.status === 404) return null;
  if (!response.ok || response.body === null) throw new Error(`it responded with status ${response.status}`);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body) {
    bytes += chunk.length;
    if (bytes > BYTES_MAX) throw new Error(`its response is larger than ${BYTES_MAX} bytes`);
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString("utf8"));
}
