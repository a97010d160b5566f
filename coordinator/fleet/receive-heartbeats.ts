/** The call by which an agent's thread sends its heartbeats, from the first one to its end. */
import type { HeartbeatsRequest, HeartbeatsResponse } from "@elastic/proto/gen/elastic/fleet/v1/fleet.ts";
import type { Clock } from "@elastic/std/clock.ts";
import { type ServerDuplexStream, status } from "@grpc/grpc-js";
import type { AgentHeartbeats } from "./agent-heartbeats.ts";
import { HELLO_WITHIN_MS } from "./limits.ts";
import type { Links } from "./links.ts";
import { identityOf } from "./node-identity.ts";
import { NO_NODE_IDENTITY, Refusal } from "./refusal.ts";

export type HeartbeatsCall = ServerDuplexStream<HeartbeatsRequest, HeartbeatsResponse>;

/** A thread that does not read so many acknowledgements is cut off. */
const UNREAD_MAX = 100;

export function handleHeartbeats(
  context: { readonly links: Links; readonly clock: Clock },
  call: HeartbeatsCall,
): void {
  const identity = identityOf(call);
  if (identity === null) {
    call.emit("error", NO_NODE_IDENTITY);
    return;
  }
  new ReceivedHeartbeats(context, call, identity.nodeId).start();
}

class ReceivedHeartbeats implements AgentHeartbeats {
  readonly nodeId: string;
  linkId = "";
  lastSeenMs = Number.NEGATIVE_INFINITY;
  loopSilentMs = 0;
  readonly #links: Links;
  readonly #clock: Clock;
  readonly #call: HeartbeatsCall;
  #noneCame: NodeJS.Timeout | undefined;
  #isOpen = false;
  #ended = false;

  constructor(
    { links, clock }: { readonly links: Links; readonly clock: Clock },
    call: HeartbeatsCall,
    nodeId: string,
  ) {
    this.nodeId = nodeId;
    this.#links = links;
    this.#clock = clock;
    this.#call = call;
  }

  start(): void {
    this.#noneCame = setTimeout(() => this.end(NONE_CAME), HELLO_WITHIN_MS);
    this.#call.on("data", (request: HeartbeatsRequest) => this.#receive(request));
    for (const event of ["end", "cancelled", "close", "error"]) this.#call.on(event, () => this.#over());
  }

  end(refusal: Refusal): void {
    if (!this.#ended) this.#call.emit("error", refusal);
  }

  #receive({ linkId, sequence, loopSilentMs }: HeartbeatsRequest): void {
    if (this.#ended) return;
    if (this.#isOpen && linkId !== this.linkId) {
      this.end(OTHER_LINK);
      return;
    }
    if (!this.#links.mayBeVouchedFor(this.nodeId, loopSilentMs)) {
      this.end(VOUCHED_FOR_TOO_LONG);
      return;
    }
    this.linkId = linkId;
    this.lastSeenMs = this.#clock.monotonicMs();
    this.loopSilentMs = loopSilentMs;
    if (!this.#isOpen) {
      clearTimeout(this.#noneCame);
      const refusal = this.#links.openHeartbeats(this);
      if (refusal !== null) {
        this.end(refusal);
        return;
      }
      this.#isOpen = true;
    }
    this.#call.write({ sequence });
    if (this.#call.writableLength > UNREAD_MAX) this.end(UNREAD);
  }

  #over(): void {
    if (this.#ended) return;
    this.#ended = true;
    clearTimeout(this.#noneCame);
    if (this.#isOpen) this.#links.closeHeartbeats(this);
    this.#call.end();
  }
}

const NONE_CAME = new Refusal(status.DEADLINE_EXCEEDED, "no heartbeat came");
const OTHER_LINK = new Refusal(status.INVALID_ARGUMENT, "all heartbeats of a stream are of one link");
const VOUCHED_FOR_TOO_LONG = new Refusal(
  status.FAILED_PRECONDITION,
  "the agent's link has been away, or its event loop silent, for too long: heartbeats alone count for about two minutes",
);
const UNREAD = new Refusal(status.RESOURCE_EXHAUSTED, "the agent does not read the acknowledgements of its heartbeats");
