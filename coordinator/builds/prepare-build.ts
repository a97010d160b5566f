/**
 * Reads the source of a build from its repository: the ref once, to a commit, which stays the build's whatever the ref
 * becomes; then the archive of that commit, unless an identical build has an image already.
 */
import type { Clock } from "@elastic/std/clock.ts";
import type { BlobStore } from "../blobs/blob-store.ts";
import { BlobTooLargeError } from "../blobs/blob-store.ts";
import {
  type Build,
  type BuildFailure,
  failed,
  identified,
  prepared,
  reused,
  SOURCE_BYTES_MAX,
} from "../domain/build.ts";
import type { SourceAccess } from "../source-hosts/source-access.ts";
import { SourceHostError, sentencesOf } from "../source-hosts/source-host-error.ts";
import { replace } from "../store/change.ts";
import type { Store, Versioned } from "../store/store.ts";
import { buildIdentity } from "./build-identity.ts";
import { type IdenticalOptions, identicalBuild } from "./identical-build.ts";

export interface PrepareOptions extends Pick<IdenticalOptions, "resolveImage"> {
  readonly store: Pick<Store, "get" | "commit" | "view">;
  readonly access: Pick<SourceAccess, "resolveCommit" | "openArchive">;
  readonly blobs: Pick<BlobStore, "put">;
  /** For a person, by the host's name in the settings. */
  readonly titleOf: (host: string) => string;
  readonly clock: Pick<Clock, "now">;
}

const ARCHIVE_DEADLINE_MS = 5 * 60_000;
/** How long a host may be down before a build fails for it. */
const PATIENCE_MS = 60_000;

/**
 * Rejects where it is to be tried again: the store is away, or the host was down for less than a minute. What a host refuses is
 * the build's failure. A build that has ended stays.
 */
export async function prepareBuild(options: PrepareOptions, buildId: string): Promise<void> {
  const begun = await options.store.get("builds", buildId);
  if (begun?.value.state.kind !== "preparing") return;
  const { since } = begun.value.state;
  const after = await afterReading(options, begun.value).catch((error: unknown) => {
    const now = options.clock.now();
    const isDown = error instanceof SourceHostError && error.code === "host_down";
    if (isDown && now - since < PATIENCE_MS) throw error;
    return failed(begun.value, failureOf(options, begun.value, error), now);
  });
  // It was cancelled meanwhile, or another coordinator has prepared it.
  await settle(options, begun, after);
}

async function afterReading({ access, blobs, clock, ...options }: PrepareOptions, build: Build): Promise<Build> {
  const { origin, settings, teamId } = build;
  if (origin === null) throw new Error(`build ${build.id} has no repository`);
  const { from, ref } = origin;
  const { commit, title } =
    origin.title === null || origin.commit === null
      ? await access.resolveCommit(from, origin.commit ?? ref ?? undefined)
      : { commit: origin.commit, title: origin.title };
  const identity = buildIdentity({ kind: "commit", from, commit }, settings);
  const known = identified(build, { ...origin, commit, title }, identity);
  const identical = await identicalBuild({ view: options.store.view, resolveImage: options.resolveImage }, known);
  if (identical !== null) return reused(known, identical, clock.now());
  const archive = await access.openArchive(from, commit, {
    bytesMax: SOURCE_BYTES_MAX,
    deadlineMs: ARCHIVE_DEADLINE_MS,
  });
  const { sha256, bytes } = await blobs.put(teamId, archive, { bytesMax: SOURCE_BYTES_MAX, sparesReserve: true });
  return prepared(known, { kind: "archive", sha256, bytes, stripComponents: 1 }, clock.now());
}

function failureOf({ titleOf }: PrepareOptions, { origin }: Build, error: unknown): BuildFailure {
  const reason = "source_unavailable";
  const title = titleOf(origin?.from.host ?? "");
  if (error instanceof SourceHostError) return { reason, message: sentencesOf(error.code, title), line: null };
  if (error instanceof BlobTooLargeError)
    return { reason, message: sentencesOf("archive_too_large", title), line: null };
  throw error;
}

async function settle({ store }: PrepareOptions, begun: Versioned<Build>, after: Build): Promise<void> {
  await store.commit([replace("builds", begun, after)]);
}
