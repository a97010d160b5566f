import { CliError } from "../errors/cli-error.ts";
import type { Caller } from "./caller.ts";
import { call } from "./client.ts";
import { idempotencyHeaders } from "./idempotency-headers.ts";
import { type OpenLog, openLog } from "./open-log.ts";
import { listAll } from "./pages.ts";
import type { BuildRecord, NewBuild } from "./records.ts";

/** Parts are put together before the response. */
const CREATE_TIMEOUT_MS = 120_000;

/** Whose `errors` name parts: what is not there, and what was damaged there, which sending replaces. */
const PARTS_TO_SEND: readonly string[] = ["files_missing", "source_corrupt"];

/** The build, or the places in its source's `parts` of those that have to be sent first. */
export type BuildCreation =
  | { readonly kind: "created"; readonly build: BuildRecord }
  | { readonly kind: "missing"; readonly parts: readonly number[] };

/** Throws a CliError, but for parts of the source that the service lacks or has damaged. Only with an `idempotencyKey` is it safe to repeat. */
export async function createBuild(
  caller: Caller,
  serviceId: string,
  build: NewBuild,
  idempotencyKey: string | undefined,
): Promise<BuildCreation> {
  const path = `/v1/services/${encodeURIComponent(serviceId)}/builds`;
  const headers = idempotencyHeaders(idempotencyKey);
  const request = { method: "POST", path, body: JSON.stringify(build), headers, timeoutMs: CREATE_TIMEOUT_MS } as const;
  try {
    return { kind: "created", build: (await call(caller, request)) as BuildRecord };
  } catch (error) {
    if (!(error instanceof CliError) || !PARTS_TO_SEND.includes(error.code)) throw error;
    return { kind: "missing", parts: error.pointers.flatMap(placeOf) };
  }
}

/** Newest first. */
export async function listBuilds(caller: Caller, serviceId: string): Promise<readonly BuildRecord[]> {
  return await listAll<BuildRecord>(caller, `/v1/services/${encodeURIComponent(serviceId)}/builds`);
}

export async function getBuild(caller: Caller, id: string): Promise<BuildRecord> {
  return (await call(caller, { method: "GET", path: pathOf(id) })) as BuildRecord;
}

export async function cancelBuild(caller: Caller, id: string): Promise<BuildRecord> {
  return (await call(caller, { method: "POST", path: `${pathOf(id)}/cancel` })) as BuildRecord;
}

export async function retryBuild(caller: Caller, id: string, noCache: boolean): Promise<BuildRecord> {
  const body = JSON.stringify({ no_cache: noCache });
  return (await call(caller, { method: "POST", path: `${pathOf(id)}/retry`, body })) as BuildRecord;
}

/** Of the newest run. */
export async function openBuildLog(
  caller: Caller,
  id: string,
  { offset, follow }: { readonly offset: number; readonly follow: boolean },
): Promise<OpenLog> {
  const query = new URLSearchParams({ offset: String(offset), ...(follow ? { follow: "1" } : {}) });
  return await openLog(caller, `${pathOf(id)}/log?${query}`, "x-log-run");
}

function pathOf(id: string): string {
  return `/v1/builds/${encodeURIComponent(id)}`;
}

function placeOf(pointer: string): readonly number[] {
  const place = /^#\/source\/parts\/(\d+)$/.exec(pointer)?.[1];
  return place === undefined ? [] : [Number(place)];
}
