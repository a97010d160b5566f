/** How a gRPC server begins to listen, and how it ends. */
import type { Server, ServerCredentials } from "@grpc/grpc-js";

const SHUTDOWN_MS = 1_000;

/** Returns where it listens, with the real port. */
export async function bindServer(server: Server, listen: string, credentials: ServerCredentials): Promise<string> {
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync(listen, credentials, (error, bound) => (error === null ? resolve(bound) : reject(error)));
  });
  return `${listen.slice(0, listen.lastIndexOf(":"))}:${port}`;
}

/** Calls in progress get a moment to receive why they end. */
export async function shutDownServer(server: Server): Promise<void> {
  const force = setTimeout(() => server.forceShutdown(), SHUTDOWN_MS);
  await new Promise<void>((resolve) => server.tryShutdown(() => resolve()));
  clearTimeout(force);
}
