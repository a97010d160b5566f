import type { Caller } from "./caller.ts";
import { call } from "./client.ts";
import { idempotencyHeaders } from "./idempotency-headers.ts";
import { listAll } from "./pages.ts";
import type { NewShell, ShellRecord, ShellWithPassword, SshTicket } from "./records.ts";

/** Sent once: only with an `idempotencyKey` is it safe to repeat. */
export async function createShell(
  caller: Caller,
  shell: NewShell,
  idempotencyKey: string | undefined,
): Promise<ShellRecord> {
  const headers = idempotencyHeaders(idempotencyKey);
  return (await call(caller, {
    method: "POST",
    path: "/v1/shells",
    body: JSON.stringify(shell),
    headers,
  })) as ShellRecord;
}

/** The team's shells, newest first. */
export async function listShells(caller: Caller): Promise<readonly ShellRecord[]> {
  return await listAll<ShellRecord>(caller, "/v1/shells");
}

export async function getShell(caller: Caller, id: string): Promise<ShellWithPassword> {
  return (await call(caller, { method: "GET", path: pathOf(id) })) as ShellWithPassword;
}

export async function stopShell(caller: Caller, id: string): Promise<ShellRecord> {
  return (await call(caller, { method: "POST", path: `${pathOf(id)}/stop` })) as ShellRecord;
}

export async function startShell(caller: Caller, id: string): Promise<ShellRecord> {
  return (await call(caller, { method: "POST", path: `${pathOf(id)}/start` })) as ShellRecord;
}

export async function deleteShell(caller: Caller, id: string): Promise<void> {
  await call(caller, { method: "DELETE", path: pathOf(id) });
}

/** For OpenSSH that logs in with the key of `clientKey`, a line as in a .pub file. */
export async function createSshTicket(caller: Caller, id: string, clientKey: string): Promise<SshTicket> {
  const body = JSON.stringify({ client_key: clientKey });
  return (await call(caller, { method: "POST", path: `${pathOf(id)}/ssh-tickets`, body })) as SshTicket;
}

function pathOf(id: string): string {
  return `/v1/shells/${encodeURIComponent(id)}`;
}
