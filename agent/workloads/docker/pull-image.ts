/** Makes sure that an image is here, by its digest. */
import type Docker from "dockerode";
import type { ImageInspectInfo } from "dockerode";
import { StartFailure } from "../start-failure.ts";
import { answered } from "./engine-failure.ts";

/** One event of a pull. An engine answers 200 first and tells of a failure here. */
interface PullEvent {
  readonly error?: string;
  readonly errorDetail?: { readonly message?: string };
}

/** `onPull` is called when the image has to be fetched. */
export async function pullImage(
  docker: Docker,
  image: string,
  onPull: () => void,
  signal: AbortSignal,
): Promise<ImageInspectInfo> {
  const present = await docker
    .getImage(image)
    .inspect()
    .catch((error: unknown) => {
      if (answered(error)) return null;
      const words = error instanceof Error ? error.message : String(error);
      throw new StartFailure("internal", `the container engine does not answer: ${words}`, { cause: error });
    });
  if (present !== null) return present;
  onPull();
  try {
    const stream = await docker.pull(image, { abortSignal: signal });
    await followPull(stream as AsyncIterable<Buffer>);
  } catch (error) {
    signal.throwIfAborted();
    throw unavailable(image, error instanceof Error ? error.message : String(error), error);
  }
  return await docker
    .getImage(image)
    .inspect()
    .catch((error: unknown) => {
      throw unavailable(image, "the engine does not have it after the pull", error);
    });
}

async function followPull(stream: AsyncIterable<Buffer>): Promise<void> {
  let rest = "";
  for await (const chunk of stream) {
    const lines = (rest + chunk.toString("utf8")).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) throwOnError(line);
  }
  throwOnError(rest);
}

function throwOnError(line: string): void {
  if (line.trim() === "") return;
  const event = JSON.parse(line) as PullEvent;
  const message = event.errorDetail?.message ?? event.error;
  if (message !== undefined) throw new Error(message);
}

function unavailable(image: string, words: string, cause: unknown): StartFailure {
  return new StartFailure("image_unavailable", `the image ${image} could not be pulled: ${words}`, { cause });
}
