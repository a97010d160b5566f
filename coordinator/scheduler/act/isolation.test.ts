import { pino } from "pino";
import { expect, test } from "vitest";
import { createMetrics } from "../../metrics/metrics.ts";
import { Isolation } from "./isolation.ts";

test("decides for the others where it fails for one, counts each failure, and logs it with its id once a minute", async () => {
  let nowMs = 0;
  const lines: object[] = [];
  const log = pino({}, { write: (line) => void lines.push(JSON.parse(line)) });
  const metrics = createMetrics();
  const isolation = new Isolation({ clock: { monotonicMs: () => nowMs }, log, metrics });
  const decided: string[] = [];
  const decide = ({ id }: { readonly id: string }) => {
    if (id === "bad") throw new Error("it cannot be decided");
    decided.push(id);
  };
  const turn = () => isolation.each("service", [{ id: "a" }, { id: "bad" }, { id: "b" }], decide);
  turn();
  turn();
  expect(decided).toEqual(["a", "b", "a", "b"]);
  expect(lines).toMatchObject([{ serviceId: "bad", err: { message: "it cannot be decided" } }]);
  nowMs = 60_000;
  turn();
  expect(lines).toHaveLength(2);
  expect(await metrics.registry.metrics()).toContain('elastic_scheduler_failures_total{of="service"} 3');
});

test("returns what was decided, or what holds otherwise", () => {
  const around = { clock: { monotonicMs: () => 0 }, log: pino({ level: "silent" }), metrics: createMetrics() };
  const isolation = new Isolation(around);
  expect(isolation.run("shell", "s", () => "decided", "otherwise")).toBe("decided");
  expect(isolation.run<string>("shell", "s", () => JSON.parse("{"), "otherwise")).toBe("otherwise");
});
