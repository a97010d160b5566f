/** Builds an image from one static program, FROM scratch, and pushes it to a registry on this machine. */
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import Docker from "dockerode";

/** An unprivileged user who exists on no machine. */
const USER = "65534:65534";

export interface ImageRecipe {
  /** Path of the program; it becomes the image's entry point and its only file. */
  readonly binary: string;
  /** `host:port/name:tag` */
  readonly reference: string;
}

/** Builds the image with the engine's classic builder, which needs nothing from any network. */
export async function buildImage(engineSocket: string, recipe: ImageRecipe): Promise<void> {
  const context = mkdtempSync(join(tmpdir(), "elastic-image-"));
  try {
    copyFileSync(recipe.binary, join(context, "prover"));
    writeFileSync(
      join(context, "Dockerfile"),
      `FROM scratch\nCOPY prover /prover\nUSER ${USER}\nEXPOSE 8080\nENTRYPOINT ["/prover"]\n`,
    );
    const docker = new Docker({ socketPath: engineSocket });
    const files = { context, src: ["Dockerfile", "prover"] };
    await finish(docker, await docker.buildImage(files, { t: recipe.reference }));
  } finally {
    rmSync(context, { recursive: true, force: true });
  }
}

/** Pushes an image that was built before, without credentials. */
export async function pushImage(engineSocket: string, reference: string): Promise<void> {
  const docker = new Docker({ socketPath: engineSocket });
  // The engine demands the header even where the registry demands no login.
  const authconfig = { username: "", password: "", serveraddress: "" };
  await finish(docker, await docker.getImage(reference).push({ authconfig }));
}

interface Progress {
  readonly error?: string;
}

/** The engine answers 200 and tells of failures in the stream. */
function finish(docker: Docker, stream: NodeJS.ReadableStream): Promise<void> {
  return new Promise((resolve, reject) => {
    docker.modem.followProgress(stream as Readable, (error, events: Progress[] | null) => {
      const failed = events?.find((event) => event.error !== undefined);
      if (error !== null) reject(error);
      else if (failed !== undefined) reject(new Error(failed.error));
      else resolve();
    });
  });
}
