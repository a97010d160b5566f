/** Another team in a cluster, with its own user, as an operator creates them. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { COMPILE_CACHE } from "@elastic/deploy/local/compile-cache.ts";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { programPath } from "./machine.ts";

const TIMEOUT_MS = 30_000;

export interface Tenant {
  readonly teamId: string;
  readonly key: string;
}

export async function addTeam(etcd: string, name: string): Promise<Tenant> {
  const { team_id: teamId } = await operator(etcd, "team", "create", "--name", name);
  const { key } = await operator(etcd, "user", "create", "--name", `${name}-owner`, "--team", name, "--role", "owner");
  return { teamId: String(teamId), key: String(key) };
}

/** A user of a team that is there. */
export async function addMember(
  etcd: string,
  given: { readonly name: string; readonly team: string },
): Promise<{ readonly userId: string; readonly key: string }> {
  const { name, team } = given;
  const made = await operator(etcd, "user", "create", "--name", name, "--team", team, "--role", "member");
  return { userId: String(made.user_id), key: String(made.key) };
}

async function operator(etcd: string, ...args: readonly string[]): Promise<Readonly<Record<string, unknown>>> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [inRepository("coordinator", "main.ts"), ...args, "--json"],
    { env: { ...COMPILE_CACHE, PATH: programPath(), ELASTIC_ETCD: etcd }, timeout: TIMEOUT_MS },
  );
  return JSON.parse(stdout);
}
