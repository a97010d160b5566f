/** Receives from an engine which of this node's containers it was requested to end. */
import type Docker from "dockerode";
import { LABELS } from "./container-config.ts";

interface EngineEvent {
  readonly Actor?: { readonly ID?: string };
}

/** Of a line; longer ones are none of those requested. */
const LINE_CHARS_MAX = 64 * 1024;

/** Resolves when the engine's stream ends: it is stopping, or has stopped. Rejects when there is none. */
export async function watchEndRequests(
  docker: Docker,
  nodeId: string,
  onEnd: (containerId: string) => void,
  abortSignal: AbortSignal,
): Promise<void> {
  // Its own types know of no signal.
  const options: Docker.GetEventsOptions & { readonly abortSignal: AbortSignal } = {
    filters: { type: ["container"], event: ["kill"], label: [`${LABELS.node}=${nodeId}`] },
    abortSignal,
  };
  const stream = await docker.getEvents(options);
  let rest = "";
  for await (const chunk of stream) {
    const lines = (rest + chunk.toString()).split("\n");
    rest = lines.pop()?.slice(0, LINE_CHARS_MAX) ?? "";
    for (const line of lines) {
      const id = idIn(line);
      if (id !== undefined) onEnd(id);
    }
  }
}

function idIn(line: string): string | undefined {
  if (line.trim() === "") return undefined;
  return (JSON.parse(line) as EngineEvent).Actor?.ID;
}
