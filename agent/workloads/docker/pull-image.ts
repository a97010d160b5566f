/** Makes sure that an image is here, by its digest. */
import { setTimeout as delay } from "node:timers/promises";
import type Docker from "dockerode";
import type { ImageInspectInfo } from "dockerode";
import type { ImageUse } from "../../domain/image-use.ts";
import { authOf, type PullRight } from "../../domain/pull-right.ts";
import { StartFailure } from "../../domain/start-failure.ts";
import { hasEngineResponded } from "./engine-failure.ts";
import { type PullEvent, PullProgress } from "./pull-progress.ts";

/** Together some seconds: a registry, or whoever signs its tokens, is being restarted. */
const TRIES_MAX = 4;
const FIRST_DELAY_MS = 500;
/** Words of engines for what may pass on its own; anything else is final for the image or its registry. */
const PASSES = /connection (refused|reset)|timeout|timed out|\bEOF\b|HTTP status:? 5\d\d|unreachable|temporar/i;

export interface PullOptions {
  /** Called when the image has to be fetched, and as its bytes come. */
  readonly onBytes: (doneBytes: number, totalBytes: number) => void;
  /** Called then. */
  readonly right: (signal: AbortSignal) => Promise<PullRight | null>;
  readonly images: ImageUse;
  readonly signal: AbortSignal;
}

export async function pullImage(
  docker: Docker,
  image: string,
  { onBytes, right, images, signal }: PullOptions,
): Promise<ImageInspectInfo> {
  await images.whenSettled(image);
  const present = await docker
    .getImage(image)
    .inspect()
    .catch((error: unknown) => {
      if (hasEngineResponded(error)) return null;
      const words = error instanceof Error ? error.message : String(error);
      throw new StartFailure("internal", `the container engine does not respond: ${words}`, { cause: error });
    });
  if (present !== null) return present;
  await images.fetching(image);
  for (let tries = 1; ; tries += 1) {
    onBytes(0, 0);
    const auth = authOf(await requestRight(right, signal), image);
    try {
      const stream = await docker.pull(image, { abortSignal: signal, ...auth });
      await followPull(stream as AsyncIterable<Buffer>, onBytes);
      break;
    } catch (error) {
      signal.throwIfAborted();
      const words = error instanceof Error ? error.message : String(error);
      if (tries >= TRIES_MAX || !PASSES.test(words)) throw unavailable(image, words, error);
    }
    await delay(FIRST_DELAY_MS * 2 ** (tries - 1), undefined, { signal });
  }
  return await docker
    .getImage(image)
    .inspect()
    .catch((error: unknown) => {
      throw unavailable(image, "the engine does not have it after the pull", error);
    });
}

async function requestRight(right: PullOptions["right"], signal: AbortSignal): Promise<PullRight | null> {
  try {
    return await right(signal);
  } catch (error) {
    signal.throwIfAborted();
    const words = error instanceof Error ? error.message : String(error);
    throw new StartFailure("internal", `the right to pull the image could not be had: ${words}`, { cause: error });
  }
}

async function followPull(stream: AsyncIterable<Buffer>, onBytes: PullOptions["onBytes"]): Promise<void> {
  const progress = new PullProgress();
  const read = (line: string): void => {
    if (line.trim() === "") return;
    const event = JSON.parse(line) as PullEvent;
    const message = event.errorDetail?.message ?? event.error;
    if (message !== undefined) throw new Error(message);
    if (progress.take(event)) onBytes(progress.doneBytes, progress.totalBytes);
  };
  let rest = "";
  for await (const chunk of stream) {
    const lines = (rest + chunk.toString("utf8")).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) read(line);
  }
  read(rest);
}

/** What one node has no room for, another one may. */
function unavailable(image: string, words: string, cause: unknown): StartFailure {
  const reason = /no space left on device/i.test(words) ? "node_disk_full" : "image_unavailable";
  return new StartFailure(reason, `the image ${image} could not be pulled: ${words}`, { cause });
}
