import fc from "fast-check";
import { expect, test } from "vitest";
import { judgeResponse, learn, type StoreHeader, type StoreResponse } from "./judge-response.ts";

const KNOWN: StoreHeader = { clusterId: "7", revision: 100 };
const response = (given: Partial<StoreResponse>): StoreResponse => ({
  clusterId: "7",
  revision: 100,
  since: 100,
  isDecisive: false,
  ...given,
});

test("accepts any first response", () => {
  expect(judgeResponse(null, response({ revision: 3, since: 0 }))).toBe("ok");
  expect(learn(null, response({ revision: 3 }))).toEqual({ clusterId: "7", revision: 3 });
});

test("accepts a response that is lower than what is known by now, but not than what was known when its request was sent", () => {
  expect(judgeResponse(KNOWN, response({ revision: 60, since: 60, isDecisive: true }))).toBe("ok");
});

test("requests a check where a response is lower than what was known when its request was sent", () => {
  expect(judgeResponse(KNOWN, response({ revision: 99 }))).toBe("check");
});

test("reports a step back where a decisive response is lower", () => {
  expect(judgeResponse(KNOWN, response({ revision: 99, isDecisive: true }))).toBe("stepped back");
});

test("reports another cluster whatever the revision", () => {
  expect(judgeResponse(KNOWN, response({ clusterId: "8", revision: 500 }))).toBe("other cluster");
});

test("learns nothing from a response without header", () => {
  const none = response({ clusterId: "", revision: 0 });
  expect(judgeResponse(KNOWN, none)).toBe("ok");
  expect(learn(KNOWN, none)).toBe(KNOWN);
});

/** One step of a run: what is done with the request of that number, if it is in a state for that. */
type Step = { readonly what: "write" | "send" | "serve" | "receive"; readonly request: number };

const REQUESTS = 8;
const steps = fc.array(
  fc.record({
    what: fc.constantFrom("write" as const, "send" as const, "serve" as const, "receive" as const),
    request: fc.nat(REQUESTS - 1),
  }),
  { maxLength: 200 },
);

interface InFlight {
  readonly since: number;
  readonly served: number | null;
}

/** Requests that are served between their sending and their receiving, in any order, by a store that only goes forward. */
function play(run: readonly Step[], stepBackAt: number | null): readonly { verdict: string; isAfter: boolean }[] {
  let store = 50;
  let hasSteppedBack = false;
  let known: StoreHeader | null = null;
  const verdicts: { verdict: string; isAfter: boolean }[] = [];
  const inFlight = new Map<number, InFlight & { readonly isAfter: boolean }>();
  for (const [index, { what, request }] of run.entries()) {
    if (index === stepBackAt) {
      store = 10;
      hasSteppedBack = true;
    }
    const one = inFlight.get(request);
    if (what === "write") store += 1;
    else if (what === "send" && one === undefined) {
      inFlight.set(request, { since: known?.revision ?? 0, served: null, isAfter: hasSteppedBack });
    } else if (what === "serve" && one?.served === null) inFlight.set(request, { ...one, served: store });
    else if (what === "receive" && one !== undefined && one.served !== null) {
      inFlight.delete(request);
      const header = { clusterId: "7", revision: one.served };
      const verdict = judgeResponse(known, { ...header, since: one.since, isDecisive: true });
      verdicts.push({ verdict, isAfter: one.isAfter && one.since > store });
      if (verdict === "ok") known = learn(known, header);
    }
  }
  return verdicts;
}

test("never raises a false alarm, whatever the order of concurrent responses", () => {
  fc.assert(
    fc.property(steps, (run) => {
      expect(play(run, null).filter(({ verdict }) => verdict !== "ok")).toEqual([]);
    }),
    { numRuns: 2_000 },
  );
});

test("reports every response to a request sent after a step back below what was known", () => {
  fc.assert(
    fc.property(steps, fc.nat(200), (run, at) => {
      for (const { verdict, isAfter } of play(run, at)) if (isAfter) expect(verdict).toBe("stepped back");
    }),
    { numRuns: 2_000 },
  );
});

test("knows the highest revision of all that it learned", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(1_000), { minLength: 1 }), (revisions) => {
      const known = revisions.reduce<StoreHeader | null>(
        (before, revision) => learn(before, { clusterId: "7", revision }),
        null,
      );
      expect(known?.revision).toBe(Math.max(...revisions));
    }),
  );
});
