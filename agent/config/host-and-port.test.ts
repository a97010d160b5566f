import { expect, test } from "vitest";
import { loadMachineConfig } from "./config.ts";
import { isHostAndPort } from "./host-and-port.ts";

test.each(["control.example:8443", "10.0.0.5:8443", "[fd00::5]:8443", "127.0.0.1:0"])("takes %s", (text) => {
  expect(isHostAndPort(text)).toBe(true);
});

test.each(["control.example", "control.example:", ":8443", "8443", "fd00::5:8443", "a:65536", "https://a:8443"])(
  "refuses %s, in a sentence that names the setting",
  (text) => {
    expect(isHostAndPort(text)).toBe(false);
    expect(() => loadMachineConfig({ ELASTIC_COORDINATORS: `control.example:8443,${text}` })).toThrow(
      new RegExp(`ELASTIC_COORDINATORS\\.1: "${text}" is not host:port`),
    );
    expect(() => loadMachineConfig({ ELASTIC_METRICS_LISTEN: text })).toThrow(
      /ELASTIC_METRICS_LISTEN: ".*" is not host:port/,
    );
  },
);
