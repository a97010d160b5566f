/** Why a program could not listen at the address of a setting, for whoever set it. */

/** In one line: the setting, what is in its way, and what to do. */
export class ListenError extends Error {
  override readonly name = "ListenError";
}

const WHY = {
  EADDRINUSE: "another program listens there: stop it (`ss -ltnp` shows it), or name another port",
  EACCES: "this user may not: name a port from 1024 on, or give the program CAP_NET_BIND_SERVICE",
  EADDRNOTAVAIL: "that is no address of this machine: name one that it has, or 0.0.0.0 for all",
} as const;

/** As Node puts it, and gRPC's library within a longer message. */
const REFUSED = /\blisten (EADDRINUSE|EACCES|EADDRNOTAVAIL): [a-z ]+ ([0-9a-f.:]+)/;

/** Rejects with a ListenError, or with any other error as it is. `setting` says where, as its reader knows it, such as `ELASTIC_HTTP_LISTEN`. */
export async function listenFor<T>(setting: string, listening: Promise<T>): Promise<T> {
  try {
    return await listening;
  } catch (cause) {
    const [, code, address] = REFUSED.exec(String(cause)) ?? [];
    if (code === undefined) throw cause;
    throw new ListenError(`${setting} names ${address}, and ${WHY[code as keyof typeof WHY]}`, { cause });
  }
}
