/** The log of an attempt. */
import type { Caller } from "./caller.ts";
import { type OpenLog, openLog } from "./open-log.ts";

export interface LogPlace {
  /** Undefined for the newest. */
  readonly attempt: number | undefined;
  readonly offset: number;
  readonly follow: boolean;
}

/**
 * From the byte `offset` of the attempt on; with `follow` the bytes end when the attempt has. Throws a CliError where
 * there is no log.
 */
export async function openTaskLog(caller: Caller, taskId: string, place: LogPlace): Promise<OpenLog> {
  const query = new URLSearchParams({
    offset: String(place.offset),
    ...(place.attempt === undefined ? {} : { attempt: String(place.attempt) }),
    ...(place.follow ? { follow: "1" } : {}),
  });
  return await openLog(caller, `/v1/tasks/${encodeURIComponent(taskId)}/logs?${query}`, "x-log-attempt");
}
