/** The container of a shell's assignment: the only one that a tunnel may lead into. */
import type Docker from "dockerode";
import { LABELS, SHELL_KIND } from "../workloads/docker/container-config.ts";

export interface ShellContainer {
  readonly container: Docker.Container;
  /** Its first process, as the host counts. */
  pid(): Promise<number>;
  isRunning(): Promise<boolean>;
}

/** Why there is no tunnel: a sentence for the user. */
export class NoTunnel extends Error {
  override readonly name = "NoTunnel";
}

export async function shellContainer(docker: Docker, nodeId: string, assignmentId: string): Promise<ShellContainer> {
  const label = [`${LABELS.node}=${nodeId}`, `${LABELS.assignment}=${assignmentId}`, `${LABELS.kind}=${SHELL_KIND}`];
  const [found] = await docker.listContainers({ filters: { label, status: ["running"] } });
  if (found === undefined) throw new NoTunnel("the shell's container is not running");
  const container = docker.getContainer(found.Id);
  return {
    container,
    pid: async () => {
      const { State } = await container.inspect();
      if (!State.Running || State.Pid === 0) throw new NoTunnel("the shell's container is not running");
      return State.Pid;
    },
    isRunning: async () => {
      const inspected = await container.inspect().catch(() => null);
      return inspected?.State.Running ?? false;
    },
  };
}
