/** Where the container engine of this machine listens: the first usual place that responds. */
import { join } from "node:path";
import { usageError } from "../errors/cli-error.ts";
import { Engine } from "./engine.ts";
import { noEngine, type Silence } from "./no-engine.ts";

const PING_WITHIN_MS = 5_000;

export interface EnginePlaces {
  /** DOCKER_HOST: `unix://<path>` or `tcp://<host>:<port>`. */
  readonly dockerHost: string | undefined;
  /** XDG_RUNTIME_DIR, where engines without root listen. */
  readonly runtimeDir: string | undefined;
  /** HOME, where those of a desktop do. */
  readonly homeDir: string | undefined;
}

/** To be closed by the caller. Tries each place for five seconds; throws a CliError where none responds. */
export async function findEngine(where: EnginePlaces): Promise<Engine> {
  // Loaded here, for other commands start in two thirds of the time without it.
  const { Agent } = await import("undici");
  const { dockerHost } = where;
  const places = dockerHost === undefined ? usualPlaces(where) : [placeOf(dockerHost)];
  const silent: Silence[] = [];
  for (const place of places) {
    const engine = new Engine(place.base, new Agent({ connect: place.connect, bodyTimeout: 0, headersTimeout: 0 }));
    const obstacle = await ping(engine);
    if (obstacle === null) return engine;
    // Where engines usually listen is no place that anybody has named.
    if (obstacle !== "ENOENT" || dockerHost !== undefined) silent.push({ place: place.name, obstacle });
    await engine.close();
  }
  throw noEngine(silent);
}

interface Place {
  readonly name: string;
  readonly base: string;
  readonly connect: { readonly socketPath?: string };
}

function usualPlaces({ runtimeDir, homeDir }: EnginePlaces): readonly Place[] {
  const below = (folder: string | undefined, ...sockets: readonly string[]) =>
    folder === undefined ? [] : sockets.map((socket) => join(folder, socket));
  return [
    "/var/run/docker.sock",
    ...below(runtimeDir, "docker.sock", "podman/podman.sock"),
    ...below(homeDir, ".docker/run/docker.sock", ".docker/desktop/docker.sock"),
    "/run/podman/podman.sock",
  ].map(onSocket);
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

/** Null when it responds, else why not. */
async function ping({ base, dispatcher }: Engine): Promise<string | null> {
  try {
    const signal = AbortSignal.timeout(PING_WITHIN_MS);
    const { statusCode, body } = await dispatcher.request({ origin: base, path: "/_ping", method: "GET", signal });
    await body.dump();
    return statusCode === 200 ? null : `it responded with status ${statusCode}`;
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : String(error);
  }
}
