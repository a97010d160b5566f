/** The credentials of a listener, which follow their source: a new connection uses the newest. */
import { experimental, type ServerCredentials } from "@grpc/grpc-js";
import type { ServerTlsSource } from "./read-server-tls.ts";

type AuthorityListener = experimental.CaCertificateUpdateListener;
type IdentityListener = experimental.IdentityCertificateUpdateListener;

/** Clients have to show a certificate. */
export function serverCredentials(tls: ServerTlsSource): ServerCredentials {
  const publish = {
    authority: (listener: AuthorityListener) => listener({ caCertificate: Buffer.from(tls.current().ca) }),
    identity: (listener: IdentityListener) => {
      const { cert, key } = tls.current();
      listener({ certificate: Buffer.from(cert), privateKey: Buffer.from(key) });
    },
  };
  const stops = new Map<unknown, () => void>();
  const add = <L>(listener: L, send: (listener: L) => void): void => {
    stops.set(
      listener,
      tls.subscribe(() => send(listener)),
    );
    // The server listens to its credentials only after it was added here.
    process.nextTick(() => {
      if (stops.has(listener)) send(listener);
    });
  };
  const remove = (listener: unknown): void => {
    stops.get(listener)?.();
    stops.delete(listener);
  };
  const provider: experimental.CertificateProvider = {
    addCaCertificateListener: (listener) => add(listener, publish.authority),
    removeCaCertificateListener: remove,
    addIdentityCertificateListener: (listener) => add(listener, publish.identity),
    removeIdentityCertificateListener: remove,
  };
  // Its first argument is the provider of the identity, whatever its declaration calls it.
  return experimental.createCertificateProviderServerCredentials(provider, provider, true);
}
