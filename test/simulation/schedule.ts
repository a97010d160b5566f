/**
 * What happens to a fleet in one run: its size and habits, and a list of events drawn before it begins, so that a part of the list
 * can be replayed. Each seed draws its own probabilities, zero included.
 */
import type { Behaviour } from "./attempt-input.ts";
import type { Latency } from "./network.ts";
import { type Random, randomOf } from "./random.ts";
import type { Loss } from "./simulated-kv.ts";
import type { Strike } from "./strikes.ts";

export type SimulatedEvent = { readonly atMs: number } & (
  | { readonly kind: "create"; readonly call: number; readonly at: string; readonly behaviour: Behaviour }
  | { readonly kind: "cancel" | "read"; readonly call: number; readonly at: string }
  | { readonly kind: "crash"; readonly host: string; readonly downMs: number }
  | { readonly kind: "pause"; readonly host: string; readonly forMs: number }
  /** From all coordinators. */
  | { readonly kind: "isolate"; readonly host: string; readonly forMs: number }
  /** Of a way between two machines: only what goes from the first to the second, or all. */
  | {
      readonly kind: "partition";
      readonly from: string;
      readonly to: string;
      readonly both: boolean;
      readonly forMs: number;
    }
  | {
      readonly kind: "slow";
      readonly from: string;
      readonly to: string;
      readonly extraMs: number;
      readonly forMs: number;
    }
  /** The connections between an agent and a coordinator break; each side notices in its time. */
  | { readonly kind: "cut"; readonly from: string; readonly to: string; readonly noticeMs: number }
  | { readonly kind: "lose-responses"; readonly host: string; readonly losses: readonly Loss[] }
  | { readonly kind: "store-away"; readonly host: string; readonly forMs: number }
  | { readonly kind: "watches-stall"; readonly host: string; readonly forMs: number }
  | { readonly kind: "watches-break"; readonly host: string }
  | { readonly kind: "leases-end"; readonly host: string }
  | { readonly kind: "compact" }
  | ({ readonly kind: "strike" } & Strike)
);

interface Fleet {
  readonly coordinators: readonly string[];
  readonly agents: readonly string[];
  readonly slots: number;
  readonly concurrency: number;
  readonly workloadsMin: number;
  readonly workloadsMax: number;
  readonly latency: Latency;
  readonly diskSlowestMs: number;
  readonly startMs: number;
  readonly startsFail: number;
  /** Clocks count up to so much too fast or too slow, and are ahead or behind by so much. */
  readonly driftMax: number;
  readonly wallOffMs: number;
}

export interface Schedule {
  readonly seed: number;
  readonly fleet: Fleet;
  /** Faults and calls of clients, in the order of time, before `healedAtMs`. */
  readonly events: readonly SimulatedEvent[];
  readonly healedAtMs: number;
}

const FIRST_EVENT_MS = 3_000;
/** Around an agent's fence, and what makes its node lost. */
const ISOLATED_MS = [3_000, 12_000, 18_000, 30_000];
const LOSSES: readonly Loss[] = ["not applied", "applied", "applied later"];

export function drawSchedule(seed: number, seconds: number): Schedule {
  const random = randomOf(seed, "schedule");
  const fleet = drawFleet(random);
  const lengthMs = 1_000 * seconds;
  const healedAtMs = FIRST_EVENT_MS + lengthMs;
  const at = () => FIRST_EVENT_MS + random.next() * lengthMs;
  const faults = drawFaults(random, fleet, { at, seconds });
  const events = [...faults, ...drawCalls(random, fleet, { at, seconds })];
  return { seed, fleet, events: events.sort((a, b) => a.atMs - b.atMs), healedAtMs };
}

function drawFleet(random: Random): Fleet {
  const numbered = (letter: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${letter}${index + 1}`);
  const workloadsMin = random.below(4);
  return {
    coordinators: numbered("c", 2 + random.below(2)),
    agents: numbered("a", 3 + random.below(6)),
    slots: 1 + random.below(3),
    concurrency: 1 + random.below(3),
    workloadsMin,
    workloadsMax: Math.max(1, workloadsMin + random.below(6)),
    latency: { leastMs: random.between(0.1, 5), meanMs: random.pick([0.5, 2, 20, 80]) },
    diskSlowestMs: random.pick([1, 20, 500]),
    startMs: random.pick([50, 500, 3_000]),
    startsFail: random.pick([0, 0, 0.1]),
    driftMax: random.pick([0, 0, 0.001, 0.02]),
    wallOffMs: random.pick([0, 0, 500]),
  };
}

interface When {
  readonly at: () => number;
  readonly seconds: number;
}

function drawCalls(random: Random, { coordinators }: Fleet, { at, seconds }: When): SimulatedEvent[] {
  const events: SimulatedEvent[] = [];
  const count = 1 + random.below(Math.max(2, Math.round(seconds * random.pick([0.1, 0.3, 0.8]))));
  const [refused, crashing, endless, cancelled] = [0.1, 0.1, 0.05, 0.3].map((most) => drawnRate(random, most));
  const longestMs = random.pick([500, 6_000, 25_000, 29_000]);
  for (let call = 0; call < count; call++) {
    const atMs = at();
    const drawn = random.next();
    const end =
      drawn < (refused ?? 0)
        ? "refuse"
        : drawn < (refused ?? 0) + (crashing ?? 0)
          ? "crash"
          : random.chance(endless ?? 0)
            ? "never"
            : "succeed";
    const behaviour: Behaviour = { runMs: Math.round(random.next() * longestMs), end, output: `{"proof":${call}}` };
    events.push({ kind: "create", atMs, call, at: random.pick(coordinators), behaviour });
    if (random.chance(cancelled ?? 0)) {
      events.push({ kind: "cancel", atMs: atMs + random.next() * 20_000, call, at: random.pick(coordinators) });
    }
    for (let reads = random.below(4); reads > 0; reads--) {
      events.push({ kind: "read", atMs: atMs + random.next() * 30_000, call, at: random.pick(coordinators) });
    }
  }
  return events;
}

/** Half of all seeds are without it. */
function drawnRate(random: Random, most: number): number {
  return random.chance(0.5) ? 0 : random.next() * most;
}

function drawFaults(random: Random, fleet: Fleet, { at, seconds }: When): SimulatedEvent[] {
  const { coordinators, agents } = fleet;
  const events: SimulatedEvent[] = [];
  /** `perMinute` is the most that a seed draws. */
  const each = (perMinute: number, make: (atMs: number) => SimulatedEvent): void => {
    const rate = drawnRate(random, perMinute);
    for (let left = Math.round((rate * seconds) / 60 + random.next() - 0.5); left > 0; left--) events.push(make(at()));
  };
  const coordinator = () => random.pick(coordinators);
  const agent = () => random.pick(agents);
  const any = () => (random.chance(0.5) ? coordinator() : agent());
  const longMs = () => random.pick([500, 3_000, 8_000, 16_000, 30_000]) * (0.5 + random.next());
  const linked = () =>
    random.chance(0.5) ? { from: agent(), to: coordinator() } : { from: coordinator(), to: agent() };
  const stored = () =>
    random.chance(0.5) ? { from: coordinator(), to: "store" } : { from: "store", to: coordinator() };
  each(3, (atMs) => ({ kind: "crash", atMs, host: coordinator(), downMs: 200 + random.next() * 15_000 }));
  each(4, (atMs) => ({ kind: "crash", atMs, host: agent(), downMs: 200 + random.next() * 25_000 }));
  each(3, (atMs) => ({ kind: "pause", atMs, host: any(), forMs: longMs() }));
  each(6, (atMs) => ({
    kind: "isolate",
    atMs,
    host: agent(),
    forMs: random.pick(ISOLATED_MS) * (0.8 + random.next()),
  }));
  each(5, (atMs) => ({ kind: "partition", atMs, ...linked(), both: random.chance(0.6), forMs: longMs() }));
  each(2, (atMs) => ({ kind: "partition", atMs, ...stored(), both: random.chance(0.6), forMs: longMs() / 2 }));
  each(1, (atMs) => ({
    kind: "partition",
    atMs,
    from: "client",
    to: coordinator(),
    both: random.chance(0.5),
    forMs: 5_000,
  }));
  each(5, (atMs) => ({ kind: "slow", atMs, ...linked(), extraMs: random.next() * 4_000, forMs: longMs() }));
  each(3, (atMs) => ({ kind: "slow", atMs, ...stored(), extraMs: random.next() * 1_500, forMs: longMs() }));
  each(8, (atMs) => ({ kind: "cut", atMs, ...linked(), noticeMs: random.pick([5, 500, 9_000]) }));
  each(6, (atMs) => ({
    kind: "lose-responses",
    atMs,
    host: coordinator(),
    losses: [random.pick(LOSSES), random.pick(LOSSES)],
  }));
  each(2, (atMs) => ({ kind: "store-away", atMs, host: coordinator(), forMs: longMs() / 3 }));
  each(3, (atMs) => ({ kind: "watches-stall", atMs, host: coordinator(), forMs: random.next() * 4_000 }));
  each(4, (atMs) => ({ kind: "watches-break", atMs, host: coordinator() }));
  each(2, (atMs) => ({ kind: "leases-end", atMs, host: coordinator() }));
  each(3, (atMs) => ({ kind: "compact", atMs }));
  const strike = (host: string) => ({ kind: "strike", host, afterMs: random.pick([0, 1.5, 6, 60]) }) as const;
  each(4, (atMs) => ({ ...strike(agent()), atMs, how: "pause", forMs: random.between(8_000, 30_000) }));
  each(4, (atMs) => ({ ...strike(any()), atMs, how: "crash", forMs: random.between(200, 20_000) }));
  return events;
}
