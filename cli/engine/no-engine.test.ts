import { expect, test } from "vitest";
import { noEngine } from "./no-engine.ts";

test.each([
  [[], /^No container engine responds: none listens where/, /^Install and start/, "no_engine"],
  [
    [{ place: "/s", obstacle: "ENOENT" }],
    /^No container engine responds: \/s: there is no such socket\.$/,
    /DOCKER_HOST/,
    "no_engine",
  ],
  [
    [{ place: "/s", obstacle: "ECONNREFUSED" }],
    /^The container engine does not run \(\/s: nothing/,
    /^Start it/,
    "no_engine",
  ],
  [[{ place: "/s", obstacle: "EACCES" }], /^You may not use the container engine/, /usermod/, "engine_not_allowed"],
  [
    [{ place: "/s", obstacle: "it responded with status 500" }],
    /\/s: it responded with status 500\.$/,
    /./,
    "no_engine",
  ],
])("%j becomes a sentence and a next step", (silent, message, next, code) => {
  const error = noEngine(silent);
  expect(error.message).toMatch(message);
  expect(error.next).toMatch(next);
  expect(error.code).toBe(code);
});
