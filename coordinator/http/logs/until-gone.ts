/** A request that follows a log, from its place among the followers to its end. */
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Holder } from "../limits/shares.ts";
import type { LogDeps } from "./log-followers.ts";

/** So that a client that went away without a word is noticed. */
const KEEP_ALIVE_MS = 60_000;

/** Counts the follower until its connection is gone; aborts then. The stream may be silent for as long as a proof. */
export function untilGone(
  { logFollowers }: Pick<LogDeps, "logFollowers">,
  request: FastifyRequest,
  reply: FastifyReply,
  holder: Holder,
): AbortSignal {
  const gone = new AbortController();
  const { raw } = reply;
  const leave = logFollowers.enter(holder, () => cut(reply));
  raw.once("close", () => {
    leave();
    gone.abort();
  });
  const { socket } = request.raw;
  socket.setTimeout(0);
  socket.setKeepAlive(true, KEEP_ALIVE_MS);
  return gone.signal;
}

/** Not ended: it is not all of the log. */
export function cut({ raw }: FastifyReply): false {
  raw.destroy();
  return false;
}
