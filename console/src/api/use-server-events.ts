/**
 * Server-sent events of one thing that a page is about. Only while the page can be seen: a browser has few connections to
 * one server, and tabs in the background need no stream. Shown again, the page reads the events from their beginning.
 */
import { useEffect, useEffectEvent } from "react";
import { followEvents } from "./follow-events.ts";

export interface ServerEvent {
  /** Empty for what is only of the moment. */
  readonly id: string;
  readonly type: string;
  /** As the OpenAPI document describes it. */
  readonly data: unknown;
}

/** `path` is null where there is nothing to follow. `types` are those that `onEvent` gets. */
export function useServerEvents(
  path: string | null,
  types: readonly string[],
  onEvent: (event: ServerEvent) => void,
): void {
  const receive = useEffectEvent((type: string, { lastEventId, data }: MessageEvent<string>) => {
    onEvent({ id: type.endsWith(".progress") ? "" : lastEventId, type, data: JSON.parse(data) });
  });
  const typeList = types.join(" ");
  useEffect(() => {
    if (path === null) return;
    const listeners = Object.fromEntries(
      typeList.split(" ").map((type) => [type, (event: MessageEvent<string>) => receive(type, event)]),
    );
    let stop: (() => void) | null = null;
    const follow = () => {
      if (document.hidden) {
        stop?.();
        stop = null;
      } else {
        stop ??= followEvents({ path, listeners });
      }
    };
    follow();
    document.addEventListener("visibilitychange", follow);
    return () => {
      document.removeEventListener("visibilitychange", follow);
      stop?.();
    };
  }, [path, typeList]);
}
