/**
 * Creates a task. The input is sent as it was typed: parsed and written again, integers above 2^53 would change.
 */

import { ApiError } from "../api/problem.ts";

/** Returns the task's id. Throws an ApiError where the service refuses it. */
export async function postTask(serviceId: string, input: string): Promise<string> {
  const response = await fetch(`/v1/services/${serviceId}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: `{"input":${input}}`,
  });
  const body = await response.json();
  if (!response.ok) throw new ApiError(response.status, body);
  return body.task_id;
}
