/** An API key leaves this machine over https with a checked certificate alone; over http it goes to loopback only. */
import { isExposed } from "../api/server-address.ts";
import type { Settings } from "../context/config.ts";
import { usageError } from "../errors/cli-error.ts";

/** Throws before anything is sent; see docs/decisions/2026-11-25-where-keys-are-sent.md. */
export function assertConfidential(url: string, { checksCertificates }: Pick<Settings, "checksCertificates">): void {
  if (isExposed(url)) {
    const { host, hostname, port } = new URL(url);
    throw usageError(
      `An API key is not sent to ${url}: it is not encrypted, so others could read it on the way.`,
      `Use https://${host}, or forward a local port to it by \`ssh -L 8088:127.0.0.1:${port || 80} ${hostname}\` and use http://127.0.0.1:8088.`,
    );
  }
  if (url.startsWith("https:") && !checksCertificates) {
    throw usageError(
      `An API key is not sent to ${url}: NODE_TLS_REJECT_UNAUTHORIZED=0 turns off the check of its certificate.`,
      "Unset that variable; a private authority is named by --ca-file or ELASTIC_CA_FILE.",
    );
  }
}
