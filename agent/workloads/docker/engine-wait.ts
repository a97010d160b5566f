/** What the engine reports of a container on its own: that it ended. */
import type { IncomingMessage } from "node:http";
import type { Container } from "dockerode";

/**
 * Resolves true once the engine has said that the container has ended, false when the engine went away with its
 * response under way. dockerode's own `wait` would never settle then: engines send the head of this response at once,
 * and it listens for nothing but the end of a body.
 */
export async function hasEngineReportedEnd(container: Container, signal: AbortSignal): Promise<boolean> {
  try {
    const answer = await requestWait(container, signal);
    for await (const _ of answer) {
      // How it ended is read by inspecting it: here only the end of the response counts.
    }
    return answer.complete;
  } catch (error) {
    // A refusal is a response too: it does not know the container any more.
    return (error as { readonly statusCode?: number }).statusCode === 404;
  }
}

function requestWait(container: Container, abortSignal: AbortSignal): Promise<IncomingMessage> {
  const request = {
    path: `/containers/${container.id}/wait`,
    method: "POST",
    isStream: true,
    abortSignal,
    statusCodes: { 200: true, 404: "no such container", 500: "server error" },
  };
  return new Promise((resolve, reject) => {
    container.modem.dial(request, (error: Error | null, answer: IncomingMessage) => {
      if (error === null) resolve(answer);
      else reject(error);
    });
  });
}
