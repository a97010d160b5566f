/** What the SSH gateway counts. */
import { Counter, Gauge, type Registry } from "prom-client";

export interface SshMetrics {
  loggedIn(by: "password" | "key" | "ticket"): void;
  loggedOut(): void;
  /** A wrong password, or one for a shell that does not exist. */
  refused(): void;
  /** A password that had to wait before it was looked at. */
  throttled(): void;
  /** Somebody who may come in, where too many are. */
  turnedAway(): void;
  moved(direction: "in" | "out", bytes: number): void;
  /** Connections that are open, with and without a login. */
  observed(connections: number): void;
}

export function createSshMetrics(registry: Registry): SshMetrics {
  const registers = [registry];
  const logins = new Counter({
    name: "elastic_ssh_logins_total",
    help: "Logins into shells, by what with.",
    labelNames: ["by"],
    registers,
  });
  const clients = new Gauge({ name: "elastic_ssh_clients", help: "Clients that are logged in.", registers });
  const connections = new Gauge({
    name: "elastic_ssh_connections",
    help: "Connections when the last one came, with and without a login.",
    registers,
  });
  const refused = new Counter({
    name: "elastic_ssh_refused_passwords_total",
    help: "Passwords that were refused.",
    registers,
  });
  const throttled = new Counter({
    name: "elastic_ssh_throttled_passwords_total",
    help: "Passwords that waited because of wrong ones from the same source.",
    registers,
  });
  const turnedAway = new Counter({
    name: "elastic_ssh_turned_away_total",
    help: "Logins beyond the connections that a shell or a source may have.",
    registers,
  });
  const bytes = new Counter({
    name: "elastic_ssh_bytes_total",
    help: "Bytes of sessions and forwarded connections, and of connections to an sshd, into shells and out of them.",
    labelNames: ["direction"],
    registers,
  });
  return {
    loggedIn: (by) => {
      logins.inc({ by });
      clients.inc();
    },
    loggedOut: () => clients.dec(),
    refused: () => refused.inc(),
    throttled: () => throttled.inc(),
    turnedAway: () => turnedAway.inc(),
    moved: (direction, count) => bytes.inc({ direction }, count),
    observed: (open) => connections.set(open),
  };
}
