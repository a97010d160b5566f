/** The files of a commit, as a stream from GitHub. */
import type { Readable } from "node:stream";
import { downloadArchive } from "../download-archive.ts";
import { failureOf, type HostApi } from "../host-api.ts";
import { commitIdSchema } from "../host-records.ts";
import type { ArchiveLimits, RepositoryRef } from "../source-host.ts";
import { SourceHostError } from "../source-host-error.ts";
import type { InstallationTokens } from "./installation-tokens.ts";
import { readRepository } from "./read-repositories.ts";

/** Where the archives of a GitHub at `url` may be. */
export function archiveOrigins(url: string): readonly string[] {
  const { origin, protocol, host } = new URL(url);
  return origin === "https://github.com" ? ["https://codeload.github.com"] : [origin, `${protocol}//codeload.${host}`];
}

export async function openArchive(
  api: HostApi,
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
  // Its address has a token for this archive alone; the installation's is not sent there.
  return downloadArchive(location, {}, limits);
}
