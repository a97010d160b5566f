/** The one place that knows a build's public JSON. */
import { z } from "zod";
import { BUILD_FAILURE_REASONS, type Build, imageOf, isOpen } from "../domain/build.ts";
import type { View } from "../store/store.ts";
import { idSchema } from "./id-schema.ts";
import { timestamp, timestampSchema } from "./timestamp.ts";
import { sha256Schema } from "./volume-record.ts";

export const buildSchema = z
  .object({
    build_id: idSchema,
    service_id: idSchema,
    service_name: z.string(),
    team_id: idSchema,
    creator_id: idSchema,
    phase: z.enum(["queued", "running", "succeeded", "failed", "cancelled"]),
    waiting_for: z.string().nullable().describe("What a queued build lacks, for a person."),
    failure: z
      .object({
        reason: z.enum(BUILD_FAILURE_REASONS),
        message: z.string(),
        line: z.int().nullable().describe("Of the build file; null where none is to blame."),
      })
      .nullable(),
    created: timestampSchema,
    started: timestampSchema.nullable(),
    finished: timestampSchema.nullable(),
    source: z
      .object({ sha256: sha256Schema, bytes: z.int() })
      .nullable()
      .describe("The archive; null until it was read from the repository."),
    repository: z
      .object({
        host: z.string(),
        repository_id: z.string(),
        repository_name: z.string(),
        ref: z.string().describe("As requested."),
        commit: z.string().nullable(),
        title: z.string().nullable().describe("First line of the commit's message."),
      })
      .nullable()
      .describe("Where the source comes from; null for one that was sent."),
    base_dir: z.string(),
    build_file: z.string(),
    target: z.string().nullable(),
    build_args: z.record(z.string(), z.string()),
    no_cache: z.boolean(),
    image: z.string().nullable().describe("With its digest, as a deployment names it; null until it is there."),
    image_tag: z.string(),
    image_bytes: z.int().nullable().describe("Compressed."),
    stages: z.array(z.object({ name: z.string(), seconds: z.number() })).describe("Of the last run, in order."),
    runs: z.int().describe("More than 1 where a machine was lost."),
    node_id: z.string().nullable(),
    retry_of: idSchema.nullable(),
    release: z
      .object({
        trigger: z.enum(["push", "request"]),
        state: z
          .enum(["waiting", "deploying", "released", "failed", "superseded"])
          .describe("`waiting` for the build; `superseded` by a newer push or another deployment."),
        deployment_id: idSchema.nullable(),
        message: z.string().nullable().describe("Why it failed, or what took its place."),
      })
      .nullable()
      .describe("What follows the build; null where it is built only."),
    reused_from: idSchema.nullable().describe("The build of the same source and arguments whose image this one has."),
  })
  .meta({ id: "Build" });

export type BuildRecord = z.output<typeof buildSchema>;

export function buildRecord({ services }: Pick<View, "services">, build: Build): BuildRecord {
  const { state, source, settings } = build;
  return {
    build_id: build.id,
    service_id: build.serviceId,
    service_name: services.get(build.serviceId)?.value.name ?? "",
    team_id: build.teamId,
    creator_id: build.creatorId,
    phase: state.kind === "preparing" ? "queued" : state.kind,
    waiting_for: waitingFor(build),
    failure: state.kind === "failed" ? state.failure : null,
    created: timestamp(build.createdAt),
    started: build.startedAt === null ? null : timestamp(build.startedAt),
    finished: isOpen(build) ? null : timestamp(state.since),
    source: source && { sha256: source.sha256, bytes: source.bytes },
    repository: repositoryRecord(build),
    base_dir: settings.baseDir,
    build_file: settings.buildFile,
    target: settings.target === "" ? null : settings.target,
    build_args: { ...settings.buildArgs },
    no_cache: build.noCache,
    image: imageOf(build),
    image_tag: build.tag,
    image_bytes: state.kind === "succeeded" ? state.imageBytes : null,
    stages: build.stages.map(({ name, millis }) => ({ name, seconds: millis / 1000 })),
    runs: build.runs,
    node_id: build.nodeId,
    retry_of: build.retryOf,
    release: releaseRecord(build),
    reused_from: build.reusedFrom,
  };
}

function waitingFor({ state }: Build): string | null {
  if (state.kind === "preparing") return "its source";
  return state.kind === "queued" ? state.waitingFor : null;
}

function releaseRecord({ release }: Build): BuildRecord["release"] {
  if (release === null) return null;
  const { push, state } = release;
  return {
    trigger: push === null ? "request" : "push",
    state: state.kind,
    deployment_id: "deploymentId" in state ? state.deploymentId : null,
    message: "message" in state ? state.message : null,
  };
}

function repositoryRecord({ origin }: Build): BuildRecord["repository"] {
  if (origin === null) return null;
  const { from, ref, commit, title } = origin;
  return {
    host: from.host,
    repository_id: from.repositoryId,
    repository_name: from.repositoryName,
    ref: ref ?? from.branch,
    commit,
    title,
  };
}
