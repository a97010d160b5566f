import type { Caller } from "./caller.ts";
import { call } from "./client.ts";
import { listAll } from "./pages.ts";
import type { NewShell, ShellRecord, ShellWithPassword } from "./records.ts";

export async function createShell(caller: Caller, shell: NewShell): Promise<ShellRecord> {
  return (await call(caller, { method: "POST", path: "/v1/shells", body: JSON.stringify(shell) })) as ShellRecord;
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

function pathOf(id: string): string {
  return `/v1/shells/${encodeURIComponent(id)}`;
}
