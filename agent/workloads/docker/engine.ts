/** Finds the container engine of this machine: Docker or Podman, over a Unix socket. */
import { Agent } from "node:http";
import { inspect } from "node:util";
import Docker from "dockerode";
import type { EngineSetting } from "../../domain/engine-setting.ts";

export interface Engine {
  readonly docker: Docker;
  readonly socketPath: string;
  readonly name: "docker" | "podman";
  readonly version: string;
  /** What root in a container is on this machine; 0 where containers have no user namespace. */
  readonly rootId: number;
  /** Where it stores images; null where it does not say. */
  readonly rootFolder: string | null;
}

/** Where they listen by default, in the order they are probed. */
export const ENGINE_SOCKETS = ["/var/run/docker.sock", "/run/podman/podman.sock"];

const ANSWER_TIMEOUT_MS = 5_000;

/**
 * The client writes out each of its calls for a log that nobody reads, down to whatever hangs on the agent: with some
 * dozens of calls open, that alone would keep this process from all else for seconds.
 */
class QuietAgent extends Agent {
  [inspect.custom](): string {
    return "[connections to the engine]";
  }
}

/** Null when none responds or none is wanted. */
export async function findEngine(setting: EngineSetting): Promise<Engine | null> {
  if (setting.kind === "none") return null;
  for (const socketPath of setting.kind === "socket" ? [setting.path] : ENGINE_SOCKETS) {
    const engine = await probeEngine(socketPath).catch(() => null);
    if (engine !== null) return engine;
  }
  return null;
}

/** Rejects when nothing responds there. */
export async function probeEngine(socketPath: string): Promise<Engine> {
  // An engine that is being stopped accepts no connection any more, and still responds on those that it has.
  const options: Docker.DockerOptions & { readonly agent: Agent } = { socketPath, agent: new QuietAgent() };
  const probed = new Docker({ ...options, timeout: ANSWER_TIMEOUT_MS });
  const [version, info] = await Promise.all([probed.version(), probed.info() as Promise<EngineInfo>]);
  const components = (version as { readonly Components?: readonly { readonly Name: string }[] }).Components ?? [];
  const isPodman = components.some(({ Name }) => /podman/i.test(Name));
  // Without a time limit: a pull and a wait last as long as they do.
  const docker = new Docker(options);
  return {
    docker,
    socketPath,
    name: isPodman ? "podman" : "docker",
    version: version.Version,
    rootId: rootIdOf(info),
    rootFolder: info.DockerRootDir || null,
  };
}

export interface EngineInfo {
  readonly SecurityOptions?: readonly string[] | null;
  readonly DockerRootDir?: string;
}

/** Docker names the folder of a remapped engine by its first ids, and says them nowhere else. */
export function rootIdOf({ SecurityOptions, DockerRootDir = "" }: EngineInfo): number {
  const isRemapped = SecurityOptions?.some((option) => /^name=userns(,|$)/.test(option)) ?? false;
  const [, id] = /\/(\d+)\.\d+\/?$/.exec(DockerRootDir) ?? [];
  return isRemapped && id !== undefined ? Number(id) : 0;
}
