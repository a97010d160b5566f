/** Where the demo and its parts keep their files. */
import { join } from "node:path";
import { inRepository } from "../local/repository.ts";
import { newStateFile } from "./state-file.ts";

/** Where a demo that was told nothing keeps its files. */
export const USUAL_FOLDER = inRepository(".demo");

export interface Places {
  /** Everything that the demo writes, but for what set-up builds. */
  readonly folder: string;
  /** Says that the demo made the folder. */
  readonly marker: string;
  /** Everything that the demo and its parts make in the folder, but for the marker. Removed at its end. */
  readonly made: readonly string[];
  readonly state: string;
  readonly etcd: string;
  readonly coordinator: string;
  /** Its master key. */
  readonly secretsKeyFile: string;
  readonly agent: string;
  readonly engine: string;
  readonly registry: string;
  readonly ca: string;
  /** The login of the user's command. */
  readonly login: string;
  /** The directory from which the user's command is run; `service create` links it. */
  readonly project: string;
  /** What part `name` prints. */
  log(name: string): string;
}

export function placesIn(folder: string): Places {
  const inside = (name: string): string => join(folder, name);
  const places = {
    state: inside("state.json"),
    etcd: inside("etcd"),
    coordinator: inside("coordinator"),
    agent: inside("agent"),
    engine: inside("engine"),
    registry: inside("registry"),
    ca: inside("ca"),
    login: inside("elastic"),
    project: inside("project"),
  };
  const logs = inside("logs");
  return {
    ...places,
    folder,
    secretsKeyFile: join(places.coordinator, "secrets.key"),
    marker: inside(".elastic-demo"),
    made: [...Object.values(places), newStateFile(places.state), logs],
    log: (name) => join(logs, `${name}.log`),
  };
}
