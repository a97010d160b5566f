import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { followEvents } from "./follow-events.ts";

/** The parts of the browser's own that are used, with an end that a test decides. */
class Source extends EventTarget {
  static readonly CLOSED = 2;
  static readonly opened: Source[] = [];
  readyState = 0;
  constructor() {
    super();
    Source.opened.push(this);
  }
  refuse(): void {
    this.readyState = Source.CLOSED;
    this.dispatchEvent(new Event("error"));
  }
  close(): void {
    this.readyState = Source.CLOSED;
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("EventSource", Source);
  Source.opened.length = 0;
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("retries after a refusal, ever more rarely, until it is accepted", () => {
  const lost: boolean[] = [];
  followEvents({ path: "/v1/x", listeners: {}, onLost: (isRefused) => lost.push(isRefused) });
  const waits = [3_000, 6_000, 12_000, 24_000, 48_000, 60_000, 60_000];
  for (const [index, wait] of waits.entries()) {
    Source.opened.at(-1)?.refuse();
    vi.advanceTimersByTime(wait - 1);
    expect(Source.opened).toHaveLength(index + 1);
    vi.advanceTimersByTime(1);
    expect(Source.opened).toHaveLength(index + 2);
  }
  Source.opened.at(-1)?.dispatchEvent(new Event("open"));
  Source.opened.at(-1)?.refuse();
  vi.advanceTimersByTime(3_000);
  expect(Source.opened).toHaveLength(waits.length + 2);
  expect(lost).toEqual(Array.from({ length: waits.length + 1 }, () => true));
});

test("leaves a connection that broke to the browser, and passes on what comes", () => {
  const lost: boolean[] = [];
  const received: string[] = [];
  const listeners = { log: ({ data }: MessageEvent<string>) => void received.push(data) };
  followEvents({ path: "/v1/x", listeners, onLost: (isRefused) => lost.push(isRefused) });
  const [source] = Source.opened;
  source?.dispatchEvent(new Event("error"));
  source?.dispatchEvent(new MessageEvent("log", { data: "line" }));
  vi.advanceTimersByTime(120_000);
  expect([lost, received, Source.opened.length]).toEqual([[false], ["line"], 1]);
});

test("is not requested again once it was stopped", () => {
  const stop = followEvents({ path: "/v1/x", listeners: {} });
  Source.opened[0]?.refuse();
  stop();
  vi.advanceTimersByTime(120_000);
  expect(Source.opened).toHaveLength(1);
});
