/** Reads what a member of etcd reports about itself from its metrics: they need no user, and also show its clock. */
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { PeerCertificate, TLSSocket } from "node:tls";
import type { MemberStatus } from "../member-status.ts";
import type { TlsMaterial } from "./etcd-credentials.ts";

const TIMEOUT_MS = 5000;
const BYTES_MAX = 4 * 1024 * 1024;

export async function readMemberStatus(endpoint: string, tls: TlsMaterial): Promise<MemberStatus> {
  const { text, date, certificateEnds } = await get(new URL("/metrics", endpoint), tls);
  const value = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1] ?? Number.NaN);
  const clockMs = Date.parse(date);
  return {
    version: /^etcd_server_version\{server_version="([^"]+)"\}/m.exec(text)?.[1] ?? "unknown",
    isLeader: value("etcd_server_is_leader") === 1,
    hasLeader: value("etcd_server_has_leader") === 1,
    sizeBytes: value("etcd_mvcc_db_total_size_in_bytes"),
    quotaBytes: value("etcd_server_quota_backend_bytes"),
    revision: value("etcd_debugging_mvcc_current_revision"),
    compactedRevision: value("etcd_debugging_mvcc_compact_revision"),
    clockMs: Number.isNaN(clockMs) ? null : clockMs,
    certificateEnds,
  };
}

interface Received {
  readonly text: string;
  readonly date: string;
  readonly certificateEnds: Date | null;
}

function get(url: URL, tls: TlsMaterial): Promise<Received> {
  const isSecure = url.protocol === "https:";
  return new Promise((resolve, reject) => {
    const options = { signal: AbortSignal.timeout(TIMEOUT_MS), agent: false as const };
    const request = isSecure ? requestHttps(url, { ...options, ...tls }) : requestHttp(url, options);
    request.on("error", reject);
    request.on("response", (response) => {
      const certificateEnds = isSecure ? endOfCertificate((response.socket as TLSSocket).getPeerCertificate()) : null;
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        chunks.push(chunk);
        if (bytes > BYTES_MAX) request.destroy(new Error("its metrics are too long"));
      });
      response.on("error", reject);
      response.on("end", () => {
        if (response.statusCode !== 200) reject(new Error(`/metrics is HTTP ${response.statusCode}`));
        else resolve({ text: Buffer.concat(chunks).toString(), date: response.headers.date ?? "", certificateEnds });
      });
    });
    request.end();
  });
}

function endOfCertificate({ valid_to }: PeerCertificate): Date | null {
  const ends = new Date(valid_to);
  return Number.isNaN(ends.getTime()) ? null : ends;
}
