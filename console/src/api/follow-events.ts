/**
 * Server-sent events of one path. A connection that broke is made again by the browser; one that was refused is requested
 * again here, ever more rarely.
 */

const RETRY_MS = 3_000;
const RETRY_MS_MAX = 60_000;

interface FollowEventsOptions {
  readonly path: string;
  /** By the types of the events. */
  readonly listeners: Readonly<Record<string, (event: MessageEvent<string>) => void>>;
  readonly onLost?: (isRefused: boolean) => void;
}

/** Returns what stops it. */
export function followEvents({ path, listeners, onLost }: FollowEventsOptions): () => void {
  let source: EventSource;
  let retrying: ReturnType<typeof setTimeout>;
  let retryMs = RETRY_MS;
  const open = () => {
    source = new EventSource(path);
    source.addEventListener("open", () => {
      retryMs = RETRY_MS;
    });
    for (const [type, listener] of Object.entries(listeners)) source.addEventListener(type, listener);
    source.addEventListener("error", () => {
      const isRefused = source.readyState === EventSource.CLOSED;
      if (isRefused) {
        retrying = setTimeout(open, retryMs);
        retryMs = Math.min(2 * retryMs, RETRY_MS_MAX);
      }
      onLost?.(isRefused);
    });
  };
  open();
  return () => {
    source.close();
    clearTimeout(retrying);
  };
}
