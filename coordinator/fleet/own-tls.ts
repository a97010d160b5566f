/** A coordinator's own certificates, issued again whenever the authority changes. */
import type { AuthoritySource } from "../enrollment/authority.ts";
import { issueToCoordinator } from "../enrollment/issue.ts";
import type { ServerTls, ServerTlsSource } from "./read-server-tls.ts";

interface FollowedAuthority extends AuthoritySource {
  subscribe(listener: () => void): () => void;
}

/** `hosts`: the names and addresses by which agents reach it. */
export function ownTls(authority: FollowedAuthority, hosts: readonly string[]): ServerTlsSource {
  const issue = (): ServerTls => {
    const current = authority.current();
    const { chainPem, keyPem } = issueToCoordinator(current, hosts);
    return { ca: current.trusted.pem, cert: chainPem, key: keyPem };
  };
  let tls = issue();
  const listeners = new Set<() => void>();
  authority.subscribe(() => {
    tls = issue();
    for (const listener of listeners) listener();
  });
  return {
    current: () => tls,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
