/** Where the files of the demo and of its parts are. */
import { join } from "node:path";
import { inRepository } from "../local/repository.ts";
import { unfinished } from "./private-file.ts";

/** Where a demo without --folder and --state has its files. */
export const USUAL_FOLDER = inRepository(".demo");

export interface Places {
  /** Everything that the demo writes, but for what set-up builds. */
  readonly folder: string;
  /** Whether the next demo with this folder is to find what this one had (--state). */
  readonly lasting: boolean;
  /** States that a demo of this kind made the folder. */
  readonly marker: string;
  /** That of the other kind. */
  readonly otherMarker: string;
  /** Everything that the demo and its parts make in the folder, but for the marker. Removed at its end, unless it is lasting. */
  readonly made: readonly string[];
  readonly state: string;
  readonly restart: string;
  readonly etcd: string;
  readonly coordinator: string;
  readonly blobs: string;
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

export function placesIn(folder: string, { lasting = false }: { readonly lasting?: boolean } = {}): Places {
  const inside = (name: string): string => join(folder, name);
  const places = {
    state: inside("state.json"),
    restart: inside("restart.json"),
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
  const [temporary, permanent] = [inside(".elastic-demo"), inside(".elastic-demo-state")];
  return {
    ...places,
    folder,
    blobs: join(places.coordinator, "blobs"),
    secretsKeyFile: join(places.coordinator, "secrets.key"),
    lasting,
    marker: lasting ? permanent : temporary,
    otherMarker: lasting ? temporary : permanent,
    made: [...Object.values(places), unfinished(places.state), unfinished(places.restart), logs],
    log: (name) => join(logs, `${name}.log`),
  };
}
