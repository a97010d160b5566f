/** Everything that a cluster keeps, to be searched for what must not be there. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

export interface Place {
  readonly name: string;
  readonly bytes: Buffer;
}

/** As it is, and as either base64 at each of the three places where it can begin in a group of three bytes. */
export function spellings(secret: string | Buffer): readonly (string | Buffer)[] {
  const bytes = Buffer.from(secret);
  const shifted = [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString("base64");
    return encoded.slice(offset === 0 ? 0 : 4, -4);
  });
  const ofUrls = shifted.map((text) => text.replaceAll("+", "-").replaceAll("/", "_"));
  return [secret, ...shifted, ...ofUrls];
}

/** Every key that etcd holds, with its value. */
export async function dumpOf(endpoint: string): Promise<readonly Place[]> {
  const everything = Buffer.from("\0").toString("base64");
  const body = JSON.stringify({ key: everything, range_end: everything });
  const response = await fetch(`${endpoint}/v3/kv/range`, { method: "POST", body });
  const { kvs } = (await response.json()) as {
    readonly kvs: readonly { readonly key: string; readonly value: string }[];
  };
  return kvs.map(({ key, value }) => ({
    name: Buffer.from(key, "base64").toString("utf8"),
    bytes: Buffer.from(value, "base64"),
  }));
}

/** Blobs, state and logs of every part; the file of the master keys too. */
export async function filesOf(folder: string): Promise<readonly Place[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const files = await Promise.all(paths.map(async (name) => ({ name, bytes: await readFile(name).catch(() => null) })));
  return files.flatMap(({ name, bytes }) => (bytes === null ? [] : [{ name, bytes }]));
}
