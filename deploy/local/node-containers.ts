/** The containers that an agent has made, found by their label as the agent itself finds them. */
import Docker from "dockerode";

const NODE_LABEL = "elastic.node";

export async function containersOf(engineSocket: string, nodeId: string): Promise<readonly Docker.ContainerInfo[]> {
  const filters = { label: [`${NODE_LABEL}=${nodeId}`] };
  return await new Docker({ socketPath: engineSocket }).listContainers({ all: true, filters });
}

/** For an engine that continues to run after the test. */
export async function removeContainersOf(engineSocket: string, nodeId: string): Promise<void> {
  const docker = new Docker({ socketPath: engineSocket });
  for (const { Id } of await containersOf(engineSocket, nodeId)) {
    await docker.getContainer(Id).remove({ force: true });
  }
}

export async function runningContainersOf(
  engineSocket: string,
  nodeId: string,
): Promise<readonly Docker.ContainerInfo[]> {
  return (await containersOf(engineSocket, nodeId)).filter(({ State }) => State === "running");
}

/** Undefined for a container that does not run. */
export async function mainProcessOf(engineSocket: string, containerId: string): Promise<number | undefined> {
  const { State } = await new Docker({ socketPath: engineSocket }).getContainer(containerId).inspect();
  return State.Pid > 0 ? State.Pid : undefined;
}
