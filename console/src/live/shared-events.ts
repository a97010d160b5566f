/**
 * One stream of a team's events for all tabs of a browser: a tab that holds the lock reads it and passes on what it receives.
 * When that tab is closed, the next one gets the lock and continues after the last event. A tab that holds a lock is not
 * frozen by the browser, and locks exist where shared workers do not (Chrome on Android).
 */
import { type LiveEvent, readServerEvents } from "./server-events.ts";

/** What the reading tab passes on; and what a newly opened tab requests. */
type Message =
  | { readonly kind: "event"; readonly event: LiveEvent }
  | { readonly kind: "lost"; readonly asOf: number }
  | { readonly kind: "connected" }
  | { readonly kind: "which" };

export interface SharedEvents {
  readonly teamId: string;
  readonly onEvent: (event: LiveEvent) => void;
  /** Null while events come; otherwise until when they came, in milliseconds since the epoch. */
  readonly onState: (lostSince: number | null) => void;
}

export function readSharedEvents({ teamId, onEvent, onState }: SharedEvents, signal: AbortSignal): void {
  const name = `elastic.events.${teamId}`;
  const channel = new BroadcastChannel(name);
  let lastId: string | null = null;
  let isReader = false;
  let lostSince: number | null = null;
  const take = (message: Message) => {
    if (message.kind === "event") {
      lastId = message.event.id;
      lostSince = null;
      onState(null);
      onEvent(message.event);
    } else if (message.kind === "lost") {
      lostSince ??= message.asOf;
      onState(lostSince);
    } else if (message.kind === "connected") {
      lostSince = null;
      onState(null);
    } else if (isReader) {
      channel.postMessage(lostSince === null ? { kind: "connected" } : { kind: "lost", asOf: lostSince });
    }
  };
  const pass = (message: Message) => {
    channel.postMessage(message);
    take(message);
  };
  channel.addEventListener("message", ({ data }: MessageEvent<Message>) => take(data));
  channel.postMessage({ kind: "which" } satisfies Message);
  signal.addEventListener("abort", () => channel.close());
  const read = () => {
    isReader = true;
    readServerEvents(
      {
        teamId,
        after: () => lastId,
        onEvent: (event) => pass({ kind: "event", event }),
        onLost: (asOf) => pass({ kind: "lost", asOf }),
      },
      signal,
    );
  };
  // Browsers have locks only where the page came by TLS or from this machine. Elsewhere each tab reads its own stream.
  if (navigator.locks === undefined) read();
  else void navigator.locks.request(name, { signal }, () => holdUntil(signal, read)).catch(() => undefined);
}

/** The lock is held for as long as the promise is pending. */
function holdUntil(signal: AbortSignal, begin: () => void): Promise<void> {
  begin();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve()));
}
