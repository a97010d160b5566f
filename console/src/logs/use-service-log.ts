/** The log of a service while a page shows it: its lines so far, and whether more come. */
import { useEffect, useState } from "react";
import { followEvents } from "../api/follow-events.ts";
import { LogBuffer, type LogLine } from "./log-buffer.ts";

/** A page is redrawn no more often. */
const DRAW_EVERY_MS = 200;

export interface ServiceLog {
  readonly lines: readonly LogLine[];
  readonly state: "connecting" | "live" | "refused";
  /** Tasks whose logs are left out, since too many ran at a time. */
  readonly skipped: number;
}

const NOTHING: ServiceLog = { lines: [], state: "connecting", skipped: 0 };

export function useServiceLog(serviceId: string): ServiceLog {
  const [log, setLog] = useState(NOTHING);
  useEffect(() => {
    const buffer = new LogBuffer();
    let state: ServiceLog["state"] = "connecting";
    let skipped = 0;
    let drawing: ReturnType<typeof setTimeout> | null = null;
    const draw = () => {
      drawing ??= setTimeout(() => {
        drawing = null;
        setLog({ lines: buffer.lines(), state, skipped });
      }, DRAW_EVERY_MS);
    };
    const drawn = (take: (data: string) => void) => (event: MessageEvent<string>) => {
      take(event.data);
      draw();
    };
    const stop = followEvents({
      path: `/v1/services/${serviceId}/logs?follow=1`,
      listeners: {
        begin: drawn(() => {
          state = "live";
        }),
        log: drawn((data) => buffer.add(JSON.parse(data))),
        skipped: drawn((data) => {
          skipped += JSON.parse(data).tasks;
        }),
      },
      onLost: (isRefused) => {
        state = isRefused ? "refused" : "connecting";
        draw();
      },
    });
    return () => {
      stop();
      if (drawing !== null) clearTimeout(drawing);
      setLog(NOTHING);
    };
  }, [serviceId]);
  return log;
}
