/** Follows what an engine makes until it is made. */
import type { Readable } from "node:stream";
import type Docker from "dockerode";

interface Progress {
  readonly error?: string;
}

/** The engine responds with 200 and reports failures in the stream. */
export function finish(docker: Docker, stream: NodeJS.ReadableStream): Promise<void> {
  return new Promise((resolve, reject) => {
    docker.modem.followProgress(stream as Readable, (error, events: Progress[] | null) => {
      const failed = events?.find((event) => event.error !== undefined);
      if (error !== null) reject(error);
      else if (failed !== undefined) reject(new Error(failed.error));
      else resolve();
    });
  });
}
