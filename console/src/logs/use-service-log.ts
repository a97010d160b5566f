/** The log of a service while a page shows it: its lines so far, and whether more come. */
import { useEffect, useState } from "react";
import { LogBuffer, type LogLine } from "./log-buffer.ts";

/** A page is drawn anew no more often. */
const DRAW_EVERY_MS = 200;
/** After a refusal; a connection that broke is made again by the browser itself. */
const RETRY_MS = 3_000;

export interface ServiceLog {
  readonly lines: readonly LogLine[];
  readonly isLive: boolean;
  /** Tasks whose logs are left out, since too many ran at a time. */
  readonly skipped: number;
}

const NOTHING: ServiceLog = { lines: [], isLive: false, skipped: 0 };

export function useServiceLog(serviceId: string): ServiceLog {
  const [log, setLog] = useState(NOTHING);
  useEffect(() => {
    const buffer = new LogBuffer();
    let source: EventSource;
    let isLive = false;
    let skipped = 0;
    let drawing: ReturnType<typeof setTimeout> | null = null;
    let retrying: ReturnType<typeof setTimeout>;
    const draw = () => {
      drawing ??= setTimeout(() => {
        drawing = null;
        setLog({ lines: buffer.lines(), isLive, skipped });
      }, DRAW_EVERY_MS);
    };
    const receive = (type: string, take: (data: string) => void) =>
      source.addEventListener(type, ({ data }: MessageEvent<string>) => {
        take(data);
        draw();
      });
    const open = () => {
      source = new EventSource(`/v1/services/${serviceId}/logs?follow=1`);
      receive("begin", () => {
        isLive = true;
      });
      receive("log", (data) => buffer.add(JSON.parse(data)));
      receive("skipped", (data) => {
        skipped += JSON.parse(data).tasks;
      });
      source.addEventListener("error", () => {
        isLive = false;
        draw();
        if (source.readyState === EventSource.CLOSED) retrying = setTimeout(open, RETRY_MS);
      });
    };
    open();
    return () => {
      source.close();
      if (drawing !== null) clearTimeout(drawing);
      clearTimeout(retrying);
      setLog(NOTHING);
    };
  }, [serviceId]);
  return log;
}
