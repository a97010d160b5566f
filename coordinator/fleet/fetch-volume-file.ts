/**
 * Streams files of a data volume to a node that holds an assignment with it: those of that volume and no other blob of
 * the team, whatever digest is requested.
 */

import type { FetchVolumeFileRequest, FetchVolumeFileResponse } from "@elastic/proto/gen/elastic/fleet/v1/fleet.ts";
import { isId } from "@elastic/std/ids.ts";
import { type ServerWritableStream, status } from "@grpc/grpc-js";
import { LRUCache } from "lru-cache";
import { readManifest } from "../blobs/volume-manifests.ts";
import type { Assignment } from "../domain/assignment.ts";
import type { DeployedVolume } from "../domain/deployment.ts";
import type { FleetContext } from "./fleet-context.ts";
import { identityOf } from "./node-identity.ts";
import { NAMES_NO_ASSIGNMENT, NO_NODE_IDENTITY, Refusal, Violation } from "./refusal.ts";
import { type BytesToSend, sendBytes } from "./send-bytes.ts";

type Context = Pick<FleetContext, "store" | "blobs" | "log" | "metrics" | "violations">;
export type FetchVolumeCall = ServerWritableStream<FetchVolumeFileRequest, FetchVolumeFileResponse>;

/** Lists that were read last: a node requests each file of a volume. A list of a thousand takes some 100 KB. */
const LISTS_CACHED_MAX = 32;

const NOT_THE_NODES_FILE = new Refusal(
  status.NOT_FOUND,
  "the assignment is not this node's or has ended, or its volume has no such file",
);

const NAMES_NO_FILE = new Violation("request", status.NOT_FOUND, "it names a file by no digest");

const SHA256_PATTERN = /^[0-9a-f]{64}$/;

export class VolumeFileSender {
  readonly #context: Context;
  /** Digests by list. */
  readonly #lists = new LRUCache<string, ReadonlySet<string>>({ max: LISTS_CACHED_MAX });

  constructor(context: Context) {
    this.#context = context;
  }

  handle(call: FetchVolumeCall): Promise<void> {
    return sendBytes(call, () => this.#find(call), { ...this.#context, what: "a file of a volume" });
  }

  async #find(call: FetchVolumeCall): Promise<BytesToSend> {
    const identity = identityOf(call);
    if (identity === null) throw NO_NODE_IDENTITY;
    const { assignmentId, sha256, offset } = call.request;
    if (!isId(assignmentId)) throw NAMES_NO_ASSIGNMENT;
    if (!SHA256_PATTERN.test(sha256)) throw NAMES_NO_FILE;
    const assignment = await this.#assignmentOf(assignmentId);
    if (assignment?.nodeId !== identity.nodeId) throw NOT_THE_NODES_FILE;
    const volume = await this.#volumeOf(assignment);
    if (volume === null || !(await this.#has(assignment.teamId, volume, sha256))) throw NOT_THE_NODES_FILE;
    const blob = await this.#context.blobs.open(assignment.teamId, sha256, {
      offset: toNumber(offset),
      isVerifiedByReader: true,
    });
    if (blob === null) throw new Refusal(status.DATA_LOSS, "the file is gone");
    if (offset > BigInt(blob.bytes)) {
      blob.stream.destroy();
      throw new Refusal(status.OUT_OF_RANGE, `the file has ${blob.bytes} bytes`);
    }
    return { source: blob.stream, onSent: (bytes) => this.#context.metrics.fleet.volumeFetched(bytes) };
  }

  /** What the view does not have yet is read. */
  async #assignmentOf(id: string) {
    const { store } = this.#context;
    return (store.view.assignments.get(id) ?? (await store.get("assignments", id)))?.value ?? null;
  }

  async #volumeOf({ workload }: Assignment): Promise<DeployedVolume | null> {
    if (workload.kind !== "deployment") return null;
    const { store } = this.#context;
    const { deploymentId: id } = workload;
    return (store.view.deployments.get(id) ?? (await store.get("deployments", id)))?.value.volume ?? null;
  }

  async #has(teamId: string, { manifestSha256 }: DeployedVolume, sha256: string): Promise<boolean> {
    if (sha256 === manifestSha256) return true;
    const name = `${teamId}/${manifestSha256}`;
    const list = this.#lists.get(name) ?? (await this.#read(teamId, manifestSha256));
    this.#lists.set(name, list);
    return list.has(sha256);
  }

  async #read(teamId: string, manifestSha256: string): Promise<ReadonlySet<string>> {
    const { files } = await readManifest(this.#context.blobs, teamId, manifestSha256);
    return new Set(files.map(({ sha256 }) => sha256));
  }
}

function toNumber(offset: bigint): number {
  return offset > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(offset);
}
