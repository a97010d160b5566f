/**
 * The key and certificate of an sshd that serves one connection: signed with the gateway's host key, which clients know
 * already, and good for the name of one shell. So whoever was in a shell cannot pretend to be another.
 */
import { randomBytes } from "node:crypto";
import ssh2, { type ParsedKey } from "ssh2";
import { newKeyPair } from "./new-key-pair.ts";

export interface CertifiedKey {
  /** In OpenSSH's format. */
  readonly hostKey: string;
  /** A line as in a .pub file. */
  readonly hostCertificate: string;
}

const CERTIFICATE_TYPE = "ssh-ed25519-cert-v01@openssh.com";
const OF_HOST = 2;
/** Either way from now: clocks of clients are off, and the key goes with its connection. */
const VALID_SECONDS = 24 * 3600;

/** Whoever signs is the gateway, by its host key in OpenSSH's format. */
export function certifiedKey(gatewayKey: Buffer, shellId: string, nowMs: number): CertifiedKey {
  const { private: hostKey, public: line } = newKeyPair();
  const [, blob = ""] = line.split(" ");
  const authority = ssh2.utils.parseKey(gatewayKey);
  if (authority instanceof Error) throw authority;
  const now = Math.floor(nowMs / 1000);
  const certified = Buffer.concat([
    text(CERTIFICATE_TYPE),
    text(randomBytes(32)),
    text(rawKey(Buffer.from(blob, "base64"))),
    uint64(0),
    uint32(OF_HOST),
    text(`elastic shell ${shellId}`),
    text(text(shellId)),
    uint64(now - VALID_SECONDS),
    uint64(now + VALID_SECONDS),
    // Critical options, extensions, and what is reserved.
    ...[text(""), text(""), text("")],
    text(authority.getPublicSSH()),
  ]);
  const certificate = Buffer.concat([certified, text(signature(authority, certified))]);
  return { hostKey, hostCertificate: `${CERTIFICATE_TYPE} ${certificate.toString("base64")}` };
}

function signature(authority: ParsedKey, bytes: Buffer): Buffer {
  const signed = authority.sign(bytes);
  if (signed instanceof Error) throw signed;
  return Buffer.concat([text(authority.type), text(signed)]);
}

/** What follows the type in a public key of Ed25519. */
function rawKey(blob: Buffer): Buffer {
  const typeBytes = blob.readUInt32BE(0);
  return blob.subarray(4 + typeBytes + 4);
}

function text(of: string | Buffer): Buffer {
  const bytes = Buffer.from(of as string);
  return Buffer.concat([uint32(bytes.length), bytes]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function uint64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
}
