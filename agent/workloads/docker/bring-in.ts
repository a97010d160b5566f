/** Brings to this machine what a container is made of: its image, then the data volume that it sees. */
import type Docker from "dockerode";
import type { ImageInspectInfo } from "dockerode";
import type { ImageUse } from "../../domain/image-use.ts";
import type { RequestPullRight } from "../../domain/pull-right.ts";
import type { ReportProgress } from "../../domain/start-progress.ts";
import type { WorkloadSpec } from "../../domain/workload-spec.ts";
import type { MountedVolume } from "../../volumes/volume-cache.ts";
import { pullImage } from "./pull-image.ts";

/** Null for a workload without a volume. Rejects with a StartFailure, or with the signal's reason. */
export type MountVolume = (
  spec: WorkloadSpec,
  onBytes: (doneBytes: number, totalBytes: number) => void,
  signal: AbortSignal,
) => Promise<MountedVolume | null>;

export interface BroughtIn {
  readonly image: ImageInspectInfo;
  readonly volume: MountedVolume | null;
  /** That had to come. */
  readonly bytes: number;
}

export interface Suppliers {
  readonly docker: Docker;
  readonly pullRight: RequestPullRight;
  readonly images: ImageUse;
  readonly mountVolume: MountVolume;
}

export async function bringIn(
  { docker, pullRight, images, mountVolume }: Suppliers,
  spec: WorkloadSpec,
  report: ReportProgress,
  signal: AbortSignal,
): Promise<BroughtIn> {
  let pulledBytes = 0;
  const image = await pullImage(docker, spec.image, {
    onBytes: (doneBytes, totalBytes) => {
      pulledBytes = doneBytes;
      report({ step: "pulling", doneBytes, totalBytes });
    },
    right: (abort) => pullRight(spec.assignmentId, abort),
    images,
    signal,
  });
  const onFetched = (doneBytes: number, totalBytes: number): void => {
    report({ step: "fetching", doneBytes, totalBytes });
  };
  const volume = await mountVolume(spec, onFetched, signal);
  return { image, volume, bytes: pulledBytes + (volume?.fetchedBytes ?? 0) };
}
