/** Somebody who tries one wrong password after the other, as many on each connection as there may be. */
import { randomBytes } from "node:crypto";
import { connect } from "node:net";
import ssh2, { type AnyAuthMethod, type ConnectConfig } from "ssh2";
import { LOGIN_TRIES_PER_CONNECTION_MAX } from "../limits.ts";

export interface Guessing {
  readonly host: string;
  readonly port: number;
  /** Address of this machine that it comes from. */
  readonly from: string;
  readonly shellId: string;
  readonly passwords: number;
}

export interface Guessed {
  readonly refused: number;
  readonly admitted: number;
}

/** Continues until so many were checked. */
export async function guess(guessing: Guessing): Promise<Guessed> {
  const total = { refused: 0, admitted: 0 };
  while (total.refused + total.admitted < guessing.passwords) {
    const { refused, admitted } = await onOneConnection(guessing);
    total.refused += refused;
    total.admitted += admitted;
  }
  return total;
}

function onOneConnection({ host, port, from, shellId }: Guessing): Promise<Guessed> {
  let tried = 0;
  let refused = 0;
  let admitted = 0;
  const next = (): AnyAuthMethod | false => {
    if (tried > 0) refused += 1;
    tried += 1;
    const password = randomBytes(16).toString("base64url");
    return tried > LOGIN_TRIES_PER_CONNECTION_MAX ? false : { type: "password", username: shellId, password };
  };
  const client = new ssh2.Client();
  return new Promise((resolve) => {
    client.on("error", () => undefined);
    client.on("ready", () => {
      admitted += 1;
      client.end();
    });
    client.on("close", () => resolve({ refused, admitted }));
    const sock = connect({ host, port, localAddress: from });
    const config: ConnectConfig = { sock, username: shellId, readyTimeout: 0, authHandler: next };
    client.connect(config);
  });
}
