/** Publishes which keys and roots this process holds, for whoever rotates them. */
import { hostname } from "node:os";
import type { LiveAuthority } from "../enrollment/live-authority.ts";
import { type HeldKeys, publishHeldKeys } from "../store/held-keys.ts";
import { part, type SharedParts } from "./shared-parts.ts";

export async function publishKeys(
  { processId: id, config, kv, secrets, clock, log }: SharedParts,
  authority: LiveAuthority | null,
  starting: AsyncDisposableStack,
): Promise<void> {
  const { registry, registryService: service, registryIssuer: issuer } = config;
  const fixed = {
    id,
    name: `${hostname()}, process ${process.pid} (${config.roles.join(", ")})`,
    startedAt: clock.now(),
    registry: registry === null ? null : { base: registry.base, service, issuer },
  };
  const read = (): HeldKeys => ({
    ...fixed,
    keys: secrets.keyIds(),
    complaint: secrets.complaint() ?? authority?.complaint() ?? null,
    authority: authority && { issues: authority.current().sha256, trusts: authority.current().trusted.sha256 },
  });
  starting.defer(await publishHeldKeys({ kv, id, read, log: part(log, "keys") }));
}
