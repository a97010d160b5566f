/** Copies a file through ssh into a digest over there, and back from there into one here: equal, or no figure. */
import { type ChildProcess, execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { programPath } from "@elastic/test/cluster/machine.ts";
import { startSsh, target } from "@elastic/test/cluster/ssh-client.ts";
import { type Contender, OPTIONS } from "./contender.ts";

const MEBIBYTE = 2 ** 20;

export interface CopiedFile {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** Random, so that nothing on the way can make it shorter. */
export async function makeFile(folder: string, bytes: number): Promise<CopiedFile> {
  const path = join(folder, "copied");
  const made = `head -c ${bytes} /dev/urandom > "$0"`;
  execFileSync("sh", ["-c", made, path], { env: { PATH: programPath() } });
  const hash = createHash("sha256");
  await pipeline(createReadStream(path, { highWaterMark: MEBIBYTE }), hash);
  return { path, bytes, sha256: hash.digest("hex") };
}

/** MiB/s into it. */
export async function copyIn(contender: Contender, file: CopiedFile): Promise<number> {
  const atMs = performance.now();
  const client = start(contender, "sha256sum");
  const output = textOf(client);
  await Promise.all([pour(file, client), once(client, "close")]);
  const seconds = (performance.now() - atMs) / 1000;
  expectSame((await output).slice(0, 64), file, contender);
  return file.bytes / MEBIBYTE / seconds;
}

/** Leaves the file there, for copies from it. */
export async function leave(contender: Contender, file: CopiedFile): Promise<void> {
  const client = start(contender, `cat > ${contender.home}/copied && echo copied`);
  const output = textOf(client);
  await Promise.all([pour(file, client), once(client, "close")]);
  if ((await output) !== "copied\n") throw new Error(`${contender.name} did not keep the file`);
}

/** MiB/s out of it. */
export async function copyOut(contender: Contender, file: CopiedFile): Promise<number> {
  const atMs = performance.now();
  const client = start(contender, `cat ${contender.home}/copied`);
  const hash = createHash("sha256");
  await pipeline(client.stdout as NodeJS.ReadableStream, hash);
  const seconds = (performance.now() - atMs) / 1000;
  expectSame(hash.digest("hex"), file, contender);
  return file.bytes / MEBIBYTE / seconds;
}

/** Copies both ways, again and again, until that is over. */
export function keepCopying(contender: Contender, file: CopiedFile): { stop(): Promise<void> } {
  const over = new AbortController();
  const running = new Set<ChildProcess>();
  const again = async (command: string, input: string | null): Promise<void> => {
    while (!over.signal.aborted) {
      const client = start(contender, command, input);
      running.add(client);
      client.stdout?.resume();
      await once(client, "close");
      running.delete(client);
    }
  };
  const ways = [again("cat > /dev/null", file.path), again(`cat ${contender.home}/copied`, null)];
  return {
    async stop() {
      over.abort();
      for (const client of running) client.kill();
      await Promise.all(ways);
    },
  };
}

function start({ place }: Contender, command: string, input: string | null = null): ChildProcess {
  const client = startSsh("ssh", place, [...OPTIONS, target(place), command]);
  client.stderr?.pipe(process.stderr);
  client.stdin?.on("error", () => undefined);
  if (input !== null && client.stdin !== null) createReadStream(input, { highWaterMark: MEBIBYTE }).pipe(client.stdin);
  return client;
}

async function pour(file: CopiedFile, client: ChildProcess): Promise<void> {
  if (client.stdin === null) throw new Error("its input is a pipe");
  await pipeline(createReadStream(file.path, { highWaterMark: MEBIBYTE }), client.stdin);
}

async function textOf(client: ChildProcess): Promise<string> {
  let text = "";
  for await (const bytes of client.stdout ?? []) text += String(bytes);
  return text;
}

function expectSame(sha256: string, file: CopiedFile, { name }: Contender): void {
  if (sha256 !== file.sha256) throw new Error(`through ${name} came other bytes than were sent`);
}
