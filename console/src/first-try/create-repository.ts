/** Creates a private repository of the template in the account of a connection. */
import { ApiError } from "../api/problem.ts";
import type { SourceRepository } from "../sources/sources-query.ts";

export async function createRepository(connectionId: string, name: string): Promise<SourceRepository> {
  const response = await fetch(`/v1/source-connections/${connectionId}/repositories`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name, template: "poseidon" }),
  });
  const body = await response.json();
  if (!response.ok) throw new ApiError(response.status, body);
  return body;
}
