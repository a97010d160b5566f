/** The parts that running the prover in a container takes: an engine and a registry. */
import { mkdirSync } from "node:fs";
import { tokenService } from "../local/coordinator.ts";
import { enginePlace, engineProgram, removeAbandonedEngines, removeTraces, whyNoEngine } from "../local/engine.ts";
import { engineServes, findEngine } from "../local/engine-socket.ts";
import { buildImage } from "../local/image.ts";
import { hasRegistry, registryHost, registryProgram, registryServes } from "../local/registry.ts";
import type { Ground } from "./ground.ts";
import type { Parts } from "./parts.ts";
import type { Places } from "./places.ts";
import { PortTakenError } from "./restart-record.ts";

const START_TIMEOUT_MS = 60_000;
/** As its maker would call it; not in any registry yet. */
const IMAGE = "poseidon:demo";

export interface ContainerParts {
  readonly engineSocket: string;
  /** Whether the demo started it. */
  readonly ownEngine: boolean;
  /** Where the registry is going to be. */
  readonly registryPort: number;
  /** The demo prover's image in that engine. */
  readonly image: string;
}

/**
 * Brings up the engine, with the demo prover's image in it. `wanted`: the user requested a container, so an engine is started where
 * none responds, and what does not work is an error. Else null when no engine responds or it cannot be used, which is said.
 */
export async function startContainerParts(
  parts: Parts,
  { places, restart, path }: Ground,
  wanted: boolean,
): Promise<ContainerParts | null> {
  const answering = await findEngine();
  if (answering === null && !wanted) return null;
  try {
    const engineSocket = answering ?? (await startOwnEngine(parts, places, path));
    if (!hasRegistry(path)) throw new Error("no docker-registry on this machine: run deploy/setup.sh");
    await buildImage(engineSocket, "poseidon", IMAGE);
    return { engineSocket, ownEngine: answering === null, registryPort: await restart.port("registry"), image: IMAGE };
  } catch (error) {
    if (wanted || error instanceof PortTakenError) throw error;
    parts.say(`The container engine at ${answering} cannot be used (${String(error)}).`);
    return null;
  }
}

async function startOwnEngine(parts: Parts, places: Places, path: string): Promise<string> {
  const obstacle = whyNoEngine(path);
  if (obstacle !== null) throw new Error(`No container engine responds, and none can be started: ${obstacle}`);
  mkdirSync(places.engine, { recursive: true });
  const place = enginePlace(places.engine, places.log("engine"));
  await removeAbandonedEngines();
  parts.atEnd(() => removeTraces(place));
  await parts.start("engine", {
    async program() {
      // After a kill its containers have lost their engine; the agent starts them again.
      await removeTraces(place);
      return engineProgram(place, path);
    },
    becomesReady: (child) => child.whileRunning((signal) => engineServes(place.socket, START_TIMEOUT_MS, signal)),
  });
  return place.socket;
}

/** Starts the registry, which serves whoever has a token of the coordinator at `url`. */
export async function startRegistry(
  parts: Parts,
  { places, path }: Ground,
  { port, url }: { readonly port: number; readonly url: string },
): Promise<void> {
  const tokens = await tokenService({ secretsKeyFile: places.secretsKeyFile, path }, url);
  const place = { folder: places.registry, port, tokens, logFile: places.log("registry"), path };
  await parts.start("registry", {
    program: () => registryProgram(place),
    becomesReady: (child) =>
      child.whileRunning((signal) => registryServes(registryHost(place), START_TIMEOUT_MS, signal)),
  });
}
