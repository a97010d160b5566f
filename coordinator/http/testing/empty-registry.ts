/** The service's own registry, without images, as the distribution specification has its catalog. */
import { mkdtempSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@elastic/std/clock.ts";
import { type OwnRegistry, openOwnRegistry } from "../../registry/own-registry.ts";
import { openSecrets } from "../../secrets/secrets.ts";

export interface EmptyRegistry {
  readonly own: OwnRegistry;
  close(): void;
}

export async function startEmptyRegistry(): Promise<EmptyRegistry> {
  const server = createServer((_request, response) => {
    response.setHeader("content-type", "application/json").end('{"repositories":[]}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const settings = { address: { host, base: `http://${host}` }, service: "elastic-registry", issuer: "elastic" };
  const secrets = openSecrets({ keyFile: join(mkdtempSync(join(tmpdir(), "registry-")), "keys") });
  return { own: openOwnRegistry(settings, secrets, systemClock), close: () => void server.close() };
}
