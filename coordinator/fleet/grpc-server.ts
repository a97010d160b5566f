/** How a gRPC server ends. */
import type { Server } from "@grpc/grpc-js";

const SHUTDOWN_MS = 1_000;

/** Calls in progress get a moment to receive why they end. */
export async function shutDownServer(server: Server): Promise<void> {
  const force = setTimeout(() => server.forceShutdown(), SHUTDOWN_MS);
  await new Promise<void>((resolve) => server.tryShutdown(() => resolve()));
  clearTimeout(force);
}
