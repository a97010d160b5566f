/** Sends a file for a volume. By XMLHttpRequest: what fetch has sent of a body, browsers do not report. */

import { activeTeam } from "../active-team/active-team.ts";
import { ApiError } from "../api/problem.ts";

/** `sent` is called with how many bytes of it have gone so far. */
export function putFile(sha256: string, file: Blob, sent: (bytes: number) => void, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const cancel = () => request.abort();
    request.open("PUT", `/v1/volumes/files/${sha256}`);
    request.setRequestHeader("content-type", "application/octet-stream");
    const teamId = activeTeam();
    if (teamId !== null) request.setRequestHeader("x-team", teamId);
    request.upload.addEventListener("progress", ({ loaded }) => sent(loaded));
    request.addEventListener("load", () => {
      if (request.status === 200) resolve();
      else reject(new ApiError(request.status, problemIn(request.responseText)));
    });
    request.addEventListener("error", () => reject(new TypeError("the request failed")));
    request.addEventListener("abort", () => reject(signal.reason));
    request.addEventListener("loadend", () => signal.removeEventListener("abort", cancel));
    signal.addEventListener("abort", cancel);
    signal.throwIfAborted();
    request.send(file);
  });
}

function problemIn(text: string): object | undefined {
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}
