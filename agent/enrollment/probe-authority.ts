/**
 * Finds the coordinators' authority by the digest in the pasted line. Nothing is sent on this connection and nothing of
 * it is believed but the certificate that has this digest.
 */
import { createHash } from "node:crypto";
import { isIP } from "node:net";
import { connect, type DetailedPeerCertificate, type TLSSocket } from "node:tls";
import { pem } from "@elastic/std/x509/pem.ts";
import { validityComplaint } from "./certificate-times.ts";

const TIMEOUT_MS = 10_000;
/** Of a chain; longer ones are none of ours. */
const CHAIN_MAX = 5;

/** Returns it in PEM. */
export async function probeAuthority(coordinator: string, sha256: string, now: Date): Promise<string> {
  const chain = await presentedChain(coordinator);
  const authority = chain.find(({ raw }) => createHash("sha256").update(raw).digest("hex") === sha256);
  if (authority === undefined) {
    throw new Error(
      `the server at ${coordinator} has no certificate of the authority in --ca-sha256: do not continue; check that the line was ` +
        "pasted completely, and that nobody intercepts this machine's connection; if the authority was rotated since the " +
        "line was made, make another. The token was not sent",
    );
  }
  const [own] = chain;
  const valid = { from: new Date(own?.valid_from ?? ""), to: new Date(own?.valid_to ?? "") };
  const complaint = validityComplaint("the coordinator's certificate", valid, now);
  if (complaint !== null) throw new Error(complaint);
  return pem("CERTIFICATE", authority.raw);
}

async function presentedChain(coordinator: string): Promise<readonly DetailedPeerCertificate[]> {
  const socket = await reach(coordinator);
  try {
    const chain: DetailedPeerCertificate[] = [];
    for (let one = socket.getPeerCertificate(true); one?.raw !== undefined; one = one.issuerCertificate) {
      chain.push(one);
      if (one.issuerCertificate === one || chain.length === CHAIN_MAX) break;
    }
    return chain;
  } finally {
    socket.destroy();
  }
}

function reach(coordinator: string): Promise<TLSSocket> {
  const colon = coordinator.lastIndexOf(":");
  const host = coordinator.slice(0, colon).replace(/^\[|\]$/g, "");
  return new Promise((resolve, reject) => {
    const name = isIP(host) === 0 ? { servername: host } : {};
    const options = { host, port: Number(coordinator.slice(colon + 1)), rejectUnauthorized: false, ...name };
    const socket = connect({ ...options, ALPNProtocols: ["h2"] }, () => resolve(socket));
    const fail = (why: string): void => {
      socket.destroy();
      reject(
        new Error(
          `no coordinator responds at ${coordinator} (${why}): check --coordinator, and that no firewall is in between, ` +
            "then paste the line again. The token was not sent",
        ),
      );
    };
    socket.setTimeout(TIMEOUT_MS, () => fail("it timed out"));
    socket.once("error", (error: NodeJS.ErrnoException) =>
      fail(error.code === "ERR_SSL_WRONG_VERSION_NUMBER" ? "it does not speak TLS" : error.message.trim()),
    );
  });
}
