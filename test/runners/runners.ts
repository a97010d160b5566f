/** The runners of the whole suite, by the names that `npm test -- NAME` takes. */
import { runAccelTests } from "./accel-cpp-tests.ts";
import { runCargoTests } from "./cargo.ts";
import { runCheck } from "./check.ts";
import type { Runner } from "./runner.ts";
import { runTier } from "./tier.ts";

interface NamedRunner {
  readonly run: Runner;
  /** Parts of deploy/setup.sh that it needs, besides node. */
  readonly needs: readonly string[];
}

/** What component and system tests start: they start real parts. */
const ALL_PARTS = [
  "console",
  "template",
  "etcd",
  "rust",
  "accel-tests",
  "cuda",
  "engine",
  "builder",
  "wheel",
  "ssh",
  "postgres",
  "prometheus",
  "browser",
];

export const RUNNERS = {
  check: { run: runCheck, needs: [] },
  pure: { run: (options) => runTier("pure", options), needs: [] },
  component: { run: (options) => runTier("component", options), needs: ALL_PARTS },
  system: { run: (options) => runTier("system", options), needs: ALL_PARTS },
  long: {
    run: (options) => runTier("long", options),
    needs: [...ALL_PARTS, "otel-collector", "bare-root", "kubernetes", "kubernetes-api", "compose"],
  },
  cargo: { run: runCargoTests, needs: ["rust", "accel-tests"] },
  accel: { run: runAccelTests, needs: ["cuda", "accel-tests"] },
} as const satisfies Readonly<Record<string, NamedRunner>>;

export type RunnerName = keyof typeof RUNNERS;

export function isRunnerName(name: string): name is RunnerName {
  return Object.hasOwn(RUNNERS, name);
}
