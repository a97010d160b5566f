import { expect, test } from "vitest";
import { loopDelayOf } from "./loop-delays.ts";

test("reads how late the event loop ran, in milliseconds, and misses no quantile", () => {
  const line = (quantile: string, seconds: string) =>
    `elastic_event_loop_delay_seconds{quantile="${quantile}"} ${seconds}`;
  const metrics = ["# HELP x", line("0.5", "0.0001"), line("0.99", "0.002"), line("1", "3e-2"), "other 1"];
  expect(loopDelayOf(metrics.join("\n"))).toEqual({ p50: 0.1, p99: 2, longest: 30 });
  expect(() => loopDelayOf(metrics.slice(0, 3).join("\n"))).toThrow("(1)");
});
