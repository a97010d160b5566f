/** The files of a commit, as a stream from GitHub. */
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import type { ArchiveLimits, RepositoryRef } from "../source-host.ts";
import { SourceHostError } from "../source-host-error.ts";
import { failureOf, type GithubApi } from "./github-api.ts";
import { commitIdSchema } from "./github-records.ts";
import type { InstallationTokens } from "./installation-tokens.ts";
import { readRepository } from "./read-repositories.ts";

/** Where the archives of a GitHub at `url` may be. */
export function archiveOrigins(url: string): readonly string[] {
  const { origin, protocol, host } = new URL(url);
  return origin === "https://github.com" ? ["https://codeload.github.com"] : [origin, `${protocol}//codeload.${host}`];
}

export async function openArchive(
  api: GithubApi,
  tokens: InstallationTokens,
  origins: readonly string[],
  { ref, commit, limits }: { readonly ref: RepositoryRef; readonly commit: string; readonly limits: ArchiveLimits },
): Promise<Readable> {
  if (!commitIdSchema.safeParse(commit).success) throw new SourceHostError("ref_invalid");
  const { fullName } = await readRepository(tokens, ref);
  const scope = { ...ref, permissions: { contents: "read" } } as const;
  const led = await tokens.send(scope, { method: "GET", path: `/repos/${fullName}/tarball/${commit}` });
  if (led.status === 404) throw new SourceHostError("ref_unknown");
  if (led.status !== 302) throw failureOf(led);
  const location = URL.parse(led.headers.get("location") ?? "", api.base);
  if (location === null || !origins.includes(location.origin)) {
    throw new SourceHostError("host_invalid", new Error(`an archive at ${location?.origin}`));
  }
  return download(location, limits);
}

/** Its address has a token for this archive alone; the installation's is not sent there. */
async function download(location: URL, { bytesMax, deadlineMs }: ArchiveLimits): Promise<Readable> {
  const signal = AbortSignal.timeout(deadlineMs);
  const headers = { "user-agent": "elastic-proving-service", "accept-encoding": "identity" };
  const response = await fetch(location, { headers, redirect: "manual", signal }).catch(down);
  const isArchive = response.status === 200 && response.body !== null && !response.headers.has("content-encoding");
  if (!isArchive) {
    await response.body?.cancel();
    const isDown = response.status >= 500 || response.status === 429;
    throw new SourceHostError(isDown ? "host_down" : "host_invalid", new Error(`archive: ${response.status}`));
  }
  const declared = Number(response.headers.get("content-length") ?? 0);
  const body = Readable.fromWeb(response.body as ReadableStream<Uint8Array>);
  if (declared > bytesMax) {
    body.on("error", () => undefined).destroy();
    throw new SourceHostError("archive_too_large");
  }
  return Readable.from(bounded(body, bytesMax), { objectMode: false });
}

async function* bounded(body: Readable, bytesMax: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  try {
    for await (const chunk of body) {
      bytes += chunk.length;
      if (bytes > bytesMax) throw new SourceHostError("archive_too_large");
      yield Buffer.from(chunk);
    }
  } catch (error) {
    throw error instanceof SourceHostError ? error : new SourceHostError("host_down", error);
  }
}

function down(cause: unknown): never {
  throw new SourceHostError("host_down", cause);
}
