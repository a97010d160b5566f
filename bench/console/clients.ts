/** Many clients of the console's kind in a process of their own: that follow the team's changes, or that read a list again and again. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

export interface ClientSettings {
  readonly url: string;
  readonly key: string;
  readonly kind: "live" | "polling";
  readonly clients: number;
  /** Between two readings of a list. */
  readonly pollMs: number;
}

export interface Clients {
  /** Returns what each was sent meanwhile: events, or lists. */
  stop(): Promise<readonly number[]>;
}

/** Resolves once each has had its first response. */
export async function startClients(settings: ClientSettings): Promise<Clients> {
  const child = fork(join(import.meta.dirname, "client-process.ts"), [JSON.stringify(settings)]);
  const failed = new Promise<never>((_, reject) => {
    child.once("exit", (code) => reject(new Error(`the clients' process ended with ${code}`)));
  });
  failed.catch(() => undefined);
  await Promise.race([once(child, "message"), failed]);
  return {
    async stop() {
      const response = once(child, "message") as Promise<[readonly number[]]>;
      child.send("stop");
      const [counts] = await Promise.race([response, failed]);
      child.disconnect();
      return counts;
    },
  };
}
