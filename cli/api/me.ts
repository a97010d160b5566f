/** The user that the caller's key belongs to. */

import type { components } from "elastic-client/gen/schema.ts";
import type { Caller } from "./caller.ts";
import { call } from "./client.ts";

type MeRecord = components["schemas"]["Me"];

export async function getMe(caller: Caller): Promise<MeRecord> {
  return (await call(caller, { method: "GET", path: "/v1/me" })) as MeRecord;
}

/** The name confirms that it is the user who is meant. */
export async function deleteMe(caller: Caller, name: string): Promise<void> {
  await call(caller, { method: "DELETE", path: `/v1/me?name=${encodeURIComponent(name)}` });
}
