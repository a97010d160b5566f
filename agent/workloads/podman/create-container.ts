/**
 * Makes a container with GPUs or disks through Podman's own API: where it speaks Docker's, it takes the wish for a GPU
 * and drops it without a word, and makes a folder of the machine in the place of a disk.
 */
import type Docker from "dockerode";
import type { Container, ContainerCreateOptions } from "dockerode";
import { PROFILE_PATH, SECCOMP_OPTION } from "../seccomp/seccomp-profile.ts";
import { disksOf, gpusOf, libpodContainer, memoryOptions } from "./libpod-container.ts";

export type CreateContainer = (wanted: ContainerCreateOptions) => Promise<Container>;

/** Understood by every Podman since 4.0. */
const CREATE = "/v4.0.0/libpod/containers/create";

export function createOn(docker: Docker, engine: "docker" | "podman"): CreateContainer {
  if (engine === "docker") return (wanted) => docker.createContainer(wanted);
  return async (wanted) => {
    if (gpusOf(wanted).length + disksOf(wanted).length === 0) return docker.createContainer(asPodmanReads(wanted));
    const { Id } = await dial(docker, libpodContainer(wanted));
    return docker.getContainer(Id);
  };
}

/** It takes the path of a seccomp profile where Docker takes the profile, and names owners of memory otherwise. */
function asPodmanReads(wanted: ContainerCreateOptions): ContainerCreateOptions {
  if (wanted.HostConfig === undefined) return wanted;
  const given: readonly string[] = wanted.HostConfig.SecurityOpt ?? [];
  const SecurityOpt = given.map((option) => (option === SECCOMP_OPTION ? `seccomp=${PROFILE_PATH}` : option));
  const memory = Object.entries(wanted.HostConfig.Tmpfs ?? {});
  const Tmpfs = Object.fromEntries(memory.map(([path, options]) => [path, memoryOptions(options).join(",")]));
  return { ...wanted, HostConfig: { ...wanted.HostConfig, SecurityOpt, Tmpfs } };
}

function dial(docker: Docker, options: object): Promise<{ readonly Id: string }> {
  const statusCodes = { 201: true, 400: "bad parameter", 404: "no such image", 409: "conflict", 500: "server error" };
  return new Promise((resolve, reject) => {
    docker.modem.dial(
      { path: CREATE, method: "POST", options, statusCodes },
      (error: Error | null, answer: unknown) => {
        if (error === null) resolve(answer as { readonly Id: string });
        else reject(error);
      },
    );
  });
}
