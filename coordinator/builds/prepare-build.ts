/**
 * Reads the source of a build from its repository: the ref once, to a commit, which stays the build's whatever the ref becomes;
 * then the archive of that commit, unless an identical build has an image already.
 */
import type { Clock } from "@elastic/std/clock.ts";
import { type BlobStore, BlobsFullError, BlobTooLargeError } from "../blobs/blob-store.ts";
import {
  type Build,
  type BuildFailure,
  type BuildRepository,
  cancelled,
  failed,
  identified,
  prepared,
  reused,
  SOURCE_BYTES_MAX,
} from "../domain/build.ts";
import type { Versioned } from "../domain/versioned.ts";
import type { SourceAccess } from "../source-hosts/source-access.ts";
import { SourceHostError, sentencesOf } from "../source-hosts/source-host-error.ts";
import { replace } from "../store/change.ts";
import type { Change, Store } from "../store/store.ts";
import { buildIdentity } from "./build-identity.ts";
import { type IdenticalOptions, identicalBuild } from "./identical-build.ts";
import { superseded } from "./supersede.ts";

export interface PrepareOptions extends Pick<IdenticalOptions, "resolveImage"> {
  readonly store: Pick<Store, "get" | "commit" | "view">;
  readonly access: Pick<SourceAccess, "resolveCommit" | "openArchive">;
  readonly blobs: Pick<BlobStore, "put">;
  /** For a person, by the host's name in the settings. */
  readonly titleOf: (host: string) => string;
  readonly clock: Pick<Clock, "now">;
}

const ARCHIVE_DEADLINE_MS = 5 * 60_000;
/** How long a host may be down, or the blobs full, before a build fails for it. */
const PATIENCE_MS = 60_000;

/**
 * Rejects where it is to be tried again, for a minute: a host that is down, blobs without room, what nobody expected. What a host
 * refuses is the build's failure at once. A build that has ended stays.
 */
export async function prepareBuild(options: PrepareOptions, buildId: string): Promise<void> {
  const { store, clock } = options;
  const begun = await store.get("builds", buildId);
  if (begun?.value.state.kind !== "preparing") return;
  const service = await store.get("services", begun.value.serviceId);
  if (service === null || service.value.state.kind === "deleted") {
    await store.commit([replace("builds", begun, cancelled(begun.value, clock.now()))]);
    return;
  }
  const { since } = begun.value.state;
  try {
    const known = await identify(options, begun);
    // It was cancelled meanwhile, or another build is of that commit.
    if (known?.value.state.kind !== "preparing") return;
    await store.commit([replace("builds", known, await withSource(options, known.value))]);
  } catch (error) {
    const now = clock.now();
    if (!isFinal(error) && now - since < PATIENCE_MS) throw error;
    const latest = await store.get("builds", buildId);
    if (latest?.value.state.kind !== "preparing") return;
    await store.commit([replace("builds", latest, failed(latest.value, failureOf(options, latest.value, error), now))]);
  }
}

/** Keeps what the ref stands for, before anything is made of it. */
async function identify(options: PrepareOptions, begun: Versioned<Build>): Promise<Versioned<Build> | null> {
  const { access, store, clock } = options;
  const { origin, settings, release } = begun.value;
  if (origin === null) throw new Error(`build ${begun.value.id} has no repository`);
  if (origin.title !== null) return begun;
  const { from, ref } = origin;
  const { commit, title } = await access.resolveCommit(from, origin.commit ?? ref ?? undefined);
  const identity = buildIdentity({ kind: "commit", from, commit }, settings);
  const known = identified(begun.value, { ...origin, commit, title }, identity);
  const others = release?.push == null ? [] : pushesWaiting(options, begun.value);
  const isBuilt = others.some(({ value }) => value.origin?.commit === commit);
  const now = clock.now();
  const changes: readonly Change[] = isBuilt
    ? [superseded(begun, `commit ${commit} is being built already`, now)]
    : [replace("builds", begun, known), ...others.map((one) => superseded(one, `${commit} was pushed`, now))];
  return (await store.commit(changes)).kind === "committed" ? await store.get("builds", begun.value.id) : null;
}

/** Other pushes to the service whose images are not being deployed yet. */
function pushesWaiting({ store }: PrepareOptions, { id, serviceId, teamId }: Build): readonly Versioned<Build>[] {
  return [...store.view.builds.of(teamId)].filter(
    ({ value }) =>
      value.id !== id &&
      value.serviceId === serviceId &&
      value.release?.push != null &&
      value.release.state.kind === "waiting",
  );
}

async function withSource({ store, access, blobs, clock, resolveImage }: PrepareOptions, build: Build): Promise<Build> {
  const { origin, teamId } = build;
  if (origin === null || origin.commit === null) throw new Error(`build ${build.id} has no commit`);
  const identical = await identicalBuild({ view: store.view, resolveImage }, build);
  if (identical !== null) return reused(build, identical, clock.now());
  const limits = { bytesMax: SOURCE_BYTES_MAX, deadlineMs: ARCHIVE_DEADLINE_MS };
  const archive = await access.openArchive(origin.from, origin.commit, limits);
  const { sha256, bytes } = await blobs.put(teamId, archive, { bytesMax: SOURCE_BYTES_MAX, sparesReserve: true });
  return prepared(build, { kind: "archive", sha256, bytes, stripComponents: 1 }, clock.now());
}

function isFinal(error: unknown): boolean {
  return error instanceof BlobTooLargeError || (error instanceof SourceHostError && error.code !== "host_down");
}

/** For a ref that was not found. A commit may be in the repository and not on the branch. */
function absent({ from, ref, commit }: BuildRepository): string {
  const { repositoryName, branch } = from;
  const name = (ref ?? commit ?? branch).replace(/^refs\/heads\//, "");
  return `${name} is no branch, tag or commit of ${repositoryName}; commits must be on the branch ${branch}. Push it, or name another one.`;
}

function failureOf({ titleOf }: PrepareOptions, { origin }: Build, error: unknown): BuildFailure {
  const title = titleOf(origin?.from.host ?? "");
  const because = (message: string): BuildFailure => ({ reason: "source_unavailable", message, line: null });
  if (error instanceof SourceHostError && error.code === "ref_unknown" && origin !== null)
    return because(absent(origin));
  if (error instanceof SourceHostError) return because(sentencesOf(error.code, title));
  if (error instanceof BlobTooLargeError) return because(sentencesOf("archive_too_large", title));
  if (error instanceof BlobsFullError) {
    return because("This installation has no room for the source. Ask an operator, and build again then.");
  }
  return {
    reason: "internal",
    message: "The source could not be stored. Build again; if it persists, ask an operator.",
    line: null,
  };
}
