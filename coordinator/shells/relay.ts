/**
 * Passes bytes between a client and an sshd as they are, both ways, each as fast as the slower side: at most a few hundred
 * KiB wait here. What they say is encrypted between these two.
 */
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Traffic } from "./carry.ts";
import { CLOSES_WITHIN_MS } from "./limits.ts";

/** Resolves when both sides have gone: with `over`, with an error of either, or a moment after one of them. */
export async function relay(client: Socket, sshd: Duplex, { moved }: Traffic, over: AbortSignal): Promise<void> {
  const sides = [client, sshd] as const;
  const cut = (): void => {
    for (const side of sides) side.destroy();
  };
  const closed = sides.map((side) => {
    const gone = Promise.withResolvers<void>();
    side.once("error", cut).once("close", gone.resolve);
    if (side.closed) gone.resolve();
    return gone.promise;
  });
  over.addEventListener("abort", cut, { once: true });
  client.pipe(sshd);
  sshd.pipe(client);
  // Counted once it has been passed on.
  client.on("data", ({ length }: Buffer) => moved("in", length));
  sshd.on("data", ({ length }: Buffer) => moved("out", length));
  if (over.aborted) cut();
  await Promise.race(closed);
  // What was sent last is on its way to the other side.
  for (const side of sides) side.end();
  const late = setTimeout(cut, CLOSES_WITHIN_MS);
  await Promise.all(closed);
  clearTimeout(late);
  over.removeEventListener("abort", cut);
}
