import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { openTracing } from "./open-tracing.ts";
import { NO_TRACING } from "./tracing.ts";

const PARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
const counts = { exported: () => undefined, dropped: () => undefined };

test("passes a trace on and does nothing else without an endpoint", async () => {
  const tracing = await openTracing({ endpoint: null, service: { name: "", version: "", instance: "" }, counts });
  expect(tracing).toBe(NO_TRACING);
  expect(tracing.begin(PARENT, { name: "accept" }).traceparent).toBe(PARENT);
});

/** The client of Prometheus loads the interface without what is behind it. */
test.each(["coordinator/startup/serve.ts", "agent/start/start-agent.ts"])(
  "%s loads nothing of OpenTelemetry's SDK",
  (program) => {
    const script = `
    import { registerHooks } from "node:module";
    registerHooks({ resolve(name, context, next) {
      if (/^@opentelemetry\\/(?!api$)/.test(name)) process.stdout.write(name);
      return next(name, context);
    } });
    await import(${JSON.stringify(new URL(`../../${program}`, import.meta.url).href)});
    process.stdout.write("loaded");
  `;
    const output = execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
    expect(output).toBe("loaded");
  },
);
