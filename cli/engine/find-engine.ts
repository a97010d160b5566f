/** Where the container engine of this machine listens: the first that answers of those that are usual. */
import { join } from "node:path";
import { Agent, request } from "undici";
import { CliError, usageError } from "../errors/cli-error.ts";
import { Engine } from "./engine.ts";

const PING_WITHIN_MS = 5_000;

export interface EnginePlaces {
  /** DOCKER_HOST: `unix://<path>` or `tcp://<host>:<port>`. */
  readonly dockerHost: string | undefined;
  /** XDG_RUNTIME_DIR, where engines without root listen. */
  readonly runtimeDir: string | undefined;
}

export async function findEngine({ dockerHost, runtimeDir }: EnginePlaces): Promise<Engine> {
  const places = dockerHost === undefined ? usualPlaces(runtimeDir) : [placeOf(dockerHost)];
  const refusals: string[] = [];
  for (const place of places) {
    const engine = new Engine(place.base, new Agent({ connect: place.connect, bodyTimeout: 0, headersTimeout: 0 }));
    const obstacle = await ping(engine);
    if (obstacle === null) return engine;
    if (obstacle !== "ENOENT") refusals.push(`${place.name}: ${obstacle}`);
    await engine.close();
  }
  throw noEngine(refusals);
}

interface Place {
  readonly name: string;
  readonly base: string;
  readonly connect: { readonly socketPath?: string };
}

function usualPlaces(runtimeDir: string | undefined): readonly Place[] {
  const own = runtimeDir === undefined ? [] : [join(runtimeDir, "docker.sock"), join(runtimeDir, "podman/podman.sock")];
  return ["/var/run/docker.sock", ...own, "/run/podman/podman.sock"].map(onSocket);
}

function onSocket(socketPath: string): Place {
  return { name: socketPath, base: "http://engine", connect: { socketPath } };
}

function placeOf(dockerHost: string): Place {
  if (dockerHost.startsWith("unix://")) return onSocket(dockerHost.slice("unix://".length));
  if (/^tcp:\/\/[^/]+$/.test(dockerHost)) {
    return { name: dockerHost, base: dockerHost.replace("tcp://", "http://"), connect: {} };
  }
  throw usageError(`DOCKER_HOST is ${dockerHost}.`, "Give it as unix:///path/to/docker.sock or tcp://host:port.");
}

/** Null when it answers, else why not. */
async function ping({ base, dispatcher }: Engine): Promise<string | null> {
  try {
    const signal = AbortSignal.timeout(PING_WITHIN_MS);
    const { statusCode, body } = await request(`${base}/_ping`, { dispatcher, signal });
    await body.dump();
    return statusCode === 200 ? null : `it answered with status ${statusCode}`;
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : String(error);
  }
}

function noEngine(refusals: readonly string[]): CliError {
  if (refusals.some((refusal) => refusal.includes("EACCES"))) {
    return new CliError(`You may not use the container engine (${refusals.join("; ")}).`, {
      code: "engine_refused",
      next: "Add yourself to the engine's group (`sudo usermod -aG docker $USER`, then log in anew).",
    });
  }
  const found = refusals.length === 0 ? "none listens where engines usually do" : refusals.join("; ");
  return new CliError(`No container engine answers: ${found}.`, {
    code: "no_engine",
    next: "Install and start Docker or Podman, or say where it listens in DOCKER_HOST.",
  });
}
