/** Builds the images of this repository's provers and pushes them to a registry on this machine. */
import { existsSync, readdirSync } from "node:fs";
import Docker from "dockerode";
import { finish } from "./engine-progress.ts";
import { inRepository } from "./repository.ts";

/** Images that set-up prepares: a folder with a Dockerfile and a static program each. */
export type ImageName = "poseidon" | "ivc-minroot" | "misbehave";

function contextOf(name: ImageName): string {
  return inRepository("target", "image", name);
}

/** Builds the image under `reference`, in the engine alone. */
export async function buildImage(engineSocket: string, name: ImageName, reference: string): Promise<void> {
  const context = contextOf(name);
  if (!existsSync(context)) throw new Error(`${context} is not there: run deploy/setup.sh`);
  const docker = new Docker({ socketPath: engineSocket });
  // Without a version the engine uses its classic builder, which needs nothing from any network.
  await finish(docker, await docker.buildImage({ context, src: readdirSync(context) }, { t: reference }));
}

export interface PublishedImage {
  readonly name: ImageName;
  readonly registryHost: string;
  readonly tag: string;
  /** What the repository's name begins with. */
  readonly prefix?: string;
  /** For a registry that requires one. */
  readonly password?: string;
}

/** Builds the image, pushes it and returns its reference, such as `127.0.0.1:5000/poseidon:demo`. */
export async function publishImage(engineSocket: string, image: PublishedImage): Promise<string> {
  const { name, registryHost, tag, prefix = "", password = "" } = image;
  const reference = `${registryHost}/${prefix}${name}:${tag}`;
  await buildImage(engineSocket, name, reference);
  await push(engineSocket, reference, password);
  return reference;
}

async function push(engineSocket: string, reference: string, password: string): Promise<void> {
  const docker = new Docker({ socketPath: engineSocket });
  const serveraddress = reference.slice(0, reference.indexOf("/"));
  // The engine demands credentials even where the registry demands none.
  const authconfig = { username: password === "" ? "" : "any", password, serveraddress };
  await finish(docker, await docker.getImage(reference).push({ authconfig }));
}
