/**
 * All addresses of a name, queried from the name servers themselves, each time: the system's own resolver blocks a
 * thread that file access needs too, and cannot be stopped.
 */
import { promises as dns } from "node:dns";

/** The texts of all addresses that a name has; rejects when that cannot be found out. */
export type LookUp = (name: string, signal: AbortSignal) => Promise<readonly string[]>;

const TIMEOUT_MS = 3_000;
const TRIES = 2;
const NO_SUCH = new Set(["ENODATA", "ENOTFOUND"]);

/** A name server that fails one of the two queries could hide half of the addresses: then this rejects. */
export const queryNameServers: LookUp = async (name, signal) => {
  // No name server is queried for this one (RFC 6761).
  if (name === "localhost" || name.endsWith(".localhost")) return ["127.0.0.1", "::1"];
  const resolver = new dns.Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  const cancel = () => resolver.cancel();
  signal.addEventListener("abort", cancel, { once: true });
  try {
    const families = await Promise.all([
      resolver.resolve4(name).catch(noneIfNoSuch),
      resolver.resolve6(name).catch(noneIfNoSuch),
    ]);
    return families.flat();
  } finally {
    signal.removeEventListener("abort", cancel);
  }
};

function noneIfNoSuch(error: NodeJS.ErrnoException): readonly string[] {
  if (NO_SUCH.has(error.code ?? "")) return [];
  throw error;
}
