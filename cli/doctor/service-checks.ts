/** What `elastic doctor` checks at the service: that it is reachable, ready, on time, and accepts the key. */
import type { Caller } from "../api/caller.ts";
import { listTeams } from "../api/teams.ts";
import { request } from "../api/transport.ts";
import { unreachable } from "../api/unreachable.ts";
import { CliError } from "../errors/cli-error.ts";
import { type Check, fail, failedBy, ok, warn } from "./check.ts";

const TIMEOUT_MS = 10_000;
/** Beyond this, times in records look wrong, and links with an end are refused too soon. */
const CLOCK_OFF_MS_MAX = 60_000;

export async function checkService(caller: Caller, now: () => number): Promise<readonly Check[]> {
  let response: Response;
  try {
    const signal = AbortSignal.any([caller.signal, AbortSignal.timeout(TIMEOUT_MS)]);
    response = await request(caller, { method: "GET", path: "/readyz", signal });
    await response.body?.cancel();
  } catch (error) {
    return [failedBy("service", unreachable(caller.url, error))];
  }
  return [readiness(caller.url, response.status), clock(response.headers.get("date"), now()), await checkKey(caller)];
}

function readiness(url: string, status: number): Check {
  if (status === 200) return ok("service", `${url} responds and is ready`);
  if (status === 503) return fail("service", `${url} responds, but is not ready`, "Try again in a moment.");
  return fail("service", `${url} responds, but not as the Elastic Proving Service`, "Check the address.");
}

function clock(date: string | null, now: number): Check {
  const offMs = Math.abs(Date.parse(date ?? "") - now);
  if (Number.isNaN(offMs)) return warn("clock", "the service sends no date", "Check that no proxy removes the header.");
  if (offMs <= CLOCK_OFF_MS_MAX) return ok("clock", "agrees with the service's");
  return warn("clock", `differs from the service's by ${Math.round(offMs / 1000)} s`, "Set this machine's clock.");
}

async function checkKey(caller: Caller): Promise<Check> {
  try {
    const teams = await listTeams(caller);
    return ok("key", `accepted; it spans ${teams.length === 1 ? "one team" : `${teams.length} teams`}`);
  } catch (error) {
    if (error instanceof CliError) return failedBy("key", error);
    throw error;
  }
}
