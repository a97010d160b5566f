/** A Temporal server with all of its services in one process, over PostgreSQL or a file of SQLite; durable over both. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startChild } from "@elastic/deploy/local/child.ts";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { startPostgres, USER } from "./postgres.ts";
import type { Server, ServerPlace } from "./server.ts";
import {
  DATABASES,
  dynamicConfig,
  POSTGRES_CONNECTIONS,
  postgresStores,
  serverConfig,
  servicePorts,
  sqliteStores,
} from "./temporal-config.ts";

export type TemporalStore = "PostgreSQL" | "SQLite";

export interface TemporalServer extends Server {
  /** Roots of its processes by name: the database is one of them where it is a server. */
  readonly processes: Readonly<Record<string, number>>;
}

const BINARY = inRepository(".cache", "bin", "temporal-server");

/** Undefined where set-up could not build it. */
export function temporalMissing(): string | undefined {
  return existsSync(BINARY)
    ? undefined
    : "the Temporal server is not built: install Go and run deploy/setup.sh temporal";
}

export async function startTemporal(place: ServerPlace, store: TemporalStore): Promise<TemporalServer> {
  const folder = join(place.folder, `temporal-${store}`);
  mkdirSync(folder);
  const options = { name: "temporal-postgres", connections: POSTGRES_CONNECTIONS };
  const postgres = store === "PostgreSQL" ? await startPostgres(place, options) : null;
  const datastores = postgres === null ? sqliteStores(folder) : postgresStores(postgres.port);
  if (postgres !== null) makeSchemas(postgres.port);
  const ports = await servicePorts();
  const configFile = join(folder, "server.yaml");
  const dynamicFile = join(folder, "dynamic.yaml");
  // JSON is YAML.
  writeFileSync(dynamicFile, JSON.stringify(dynamicConfig()));
  writeFileSync(configFile, JSON.stringify(serverConfig({ datastores, ports, dynamicFile })));
  const child = await startChild({
    name: `temporal-${store}`,
    command: BINARY,
    args: ["serve", configFile],
    env: {},
    logFile: join(place.folder, `temporal-${store}.log`),
  });
  return {
    pid: child.pid,
    port: ports.frontend.rpc.grpcPort,
    version: temporalVersion(),
    processes: { "temporal-server": child.pid, ...(postgres === null ? {} : { postgres: postgres.pid }) },
    async stop() {
      await child.stop();
      await postgres?.stop();
    },
  };
}

/** With the tool of Temporal for it, which has the schemas in it. */
function makeSchemas(port: number): void {
  const tool = (database: string, ...args: readonly string[]): void => {
    const at = ["--plugin", "postgres12", "--ep", "127.0.0.1", "-p", String(port), "-u", USER, "--db", database];
    // Its log is part of the error where it fails.
    execFileSync(BINARY, ["sql-tool", ...at, ...args], { stdio: ["ignore", "ignore", "pipe"], env: {} });
  };
  for (const [store, database] of Object.entries(DATABASES)) {
    const schema = `postgresql/v12/${store === "default" ? "temporal" : "visibility"}`;
    tool(database, "create");
    tool(database, "setup-schema", "-v", "0.0");
    tool(database, "update-schema", "--schema-name", schema);
  }
}

function temporalVersion(): string {
  const pinned = readFileSync(inRepository("deploy", "temporal", "go.mod"), "utf8");
  return /go\.temporal\.io\/server v(\S+)/.exec(pinned)?.[1] ?? "unknown";
}
