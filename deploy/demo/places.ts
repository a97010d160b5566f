/** Where the demo and its parts keep their files. */
import { join } from "node:path";

export interface Places {
  /** Everything that the demo writes, but for what set-up builds. Removed at its end. */
  readonly folder: string;
  readonly state: string;
  readonly etcd: string;
  readonly coordinator: string;
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
  return {
    folder,
    state: inside("state.json"),
    etcd: inside("etcd"),
    coordinator: inside("coordinator"),
    agent: inside("agent"),
    engine: inside("engine"),
    registry: inside("registry"),
    ca: inside("ca"),
    login: inside("elastic"),
    project: inside("project"),
    log: (name) => join(folder, "logs", `${name}.log`),
  };
}
