/**
 * The events of a team, as the service sends them. A connection that breaks, is refused or is silent for too long is made
 * again and continues after the last event, until the signal aborts.
 */
import type { components } from "elastic-client/gen/schema.ts";

type Schemas = components["schemas"];

export interface LiveEvent {
  /** What to continue after. */
  readonly id: string;
  readonly data: Schemas["TeamChanges"] | Schemas["TeamReset"];
}

export interface ServerEvents {
  readonly teamId: string;
  /** Id of the last event that this browser has seen; null for none. */
  readonly after: () => string | null;
  readonly onEvent: (event: LiveEvent) => void;
  /** `asOf` is when the connection was last known to be good, in milliseconds since the epoch. */
  readonly onLost: (asOf: number) => void;
}

/** The service sends an event every 15 s, if only to show that it is there. */
const SILENT_MS_MAX = 40_000;
/** After a refusal; a connection that broke is made again by the browser itself. */
const RETRY_MS = 2_000;

export function readServerEvents({ teamId, after, onEvent, onLost }: ServerEvents, signal: AbortSignal): void {
  let source: EventSource;
  let timer: ReturnType<typeof setTimeout>;
  const wait = (ms: number, next: () => void) => {
    clearTimeout(timer);
    timer = setTimeout(next, ms);
  };
  const open = () => {
    const query = new URLSearchParams({ team_id: teamId });
    const last = after();
    if (last !== null) query.set("last_event_id", last);
    source = new EventSource(`/v1/events?${query}`);
    let aliveAt = Date.now();
    const reopen = () => {
      source.close();
      onLost(aliveAt);
      open();
    };
    const receive = ({ lastEventId: id, data }: MessageEvent<string>) => {
      aliveAt = Date.now();
      wait(SILENT_MS_MAX, reopen);
      onEvent({ id, data: JSON.parse(data) });
    };
    source.addEventListener("changes", receive);
    source.addEventListener("reset", receive);
    source.addEventListener("error", () => {
      onLost(Date.now());
      if (source.readyState === EventSource.CLOSED) wait(RETRY_MS, open);
    });
    wait(SILENT_MS_MAX, reopen);
  };
  open();
  signal.addEventListener("abort", () => {
    clearTimeout(timer);
    source.close();
  });
}
