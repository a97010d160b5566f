/** The images that tests deploy, built by the suite itself from what set-up made. */
import { existsSync } from "node:fs";
import { buildImage, pushImage } from "@elastic/deploy/local/image.ts";
import { inRepository } from "@elastic/deploy/local/repository.ts";

/** Static programs that go into an image as they are. */
export const IMAGE_PROGRAMS = {
  /** The demo prover. */
  poseidon: inRepository("target", "images", "poseidon"),
  /** Breaks the prover contract as its environment says: see provers/misbehave/README.md. */
  misbehave: inRepository("target", "images", "misbehave"),
} as const;

export type ImageName = keyof typeof IMAGE_PROGRAMS;

/** Builds the image, pushes it and answers its reference, such as `127.0.0.1:5000/poseidon:test`. */
export async function publishImage(engineSocket: string, registryHost: string, name: ImageName): Promise<string> {
  const binary = IMAGE_PROGRAMS[name];
  if (!existsSync(binary)) throw new Error(`${binary} is not there: run deploy/setup.sh`);
  const reference = `${registryHost}/${name}:test`;
  await buildImage(engineSocket, { binary, reference });
  await pushImage(engineSocket, reference);
  return reference;
}
