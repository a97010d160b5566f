import fc from "fast-check";
import { expect, test } from "vitest";
import { DeliveryQueue, type Place, QUEUE_LIMITS } from "./delivery-queue.ts";

const SMALL = { inFlightMax: 4, unprovenInFlightMax: 2, endpointInFlightMax: 2 };

function takeAll(queue: DeliveryQueue, now: number): Place[] {
  const places: Place[] = [];
  for (let place = queue.take(now); place !== null; place = queue.take(now)) places.push(place);
  return places;
}

const ids = (places: readonly Place[]) => places.map(({ id }) => id);

/** Makes the endpoint proven. */
function prove(queue: DeliveryQueue, endpoint: string): void {
  queue.put(`proof of ${endpoint}`, endpoint, 0);
  const place = queue.take(0);
  if (place === null) throw new Error("nothing was due");
  queue.done(place, "taken", null, 0);
}

test("what is due is taken in its order, and nothing before its time", () => {
  const queue = new DeliveryQueue();
  prove(queue, "e");
  queue.put("b", "e", 20);
  queue.put("a", "e", 10);
  expect([queue.nextAt(), queue.oldestDueAt(), queue.size]).toEqual([10, 10, 2]);
  expect(queue.take(9)).toBeNull();
  expect(ids(takeAll(queue, 19))).toEqual(["a"]);
  expect(queue.nextAt()).toBe(20);
  expect(ids(takeAll(queue, 20))).toEqual(["b"]);
  expect([queue.nextAt(), queue.size]).toEqual([null, 2]);
});

test("an endpoint that is not proven is sent one at a time, a proven one several", () => {
  const queue = new DeliveryQueue();
  for (const id of ["1", "2", "3", "4", "5", "6"]) queue.put(id, "e", 0);
  const [first, ...none] = takeAll(queue, 0);
  if (first === undefined) throw new Error("nothing was due");
  expect(none).toEqual([]);
  queue.done(first, "taken", null, 0);
  const places = takeAll(queue, 0);
  expect(places).toHaveLength(QUEUE_LIMITS.endpointInFlightMax);
  for (const place of places) queue.done(place, "slow", null, 0);
  expect(queue.take(0)).toBeNull();
  const at = queue.nextAt() ?? 0;
  expect(takeAll(queue, at)).toHaveLength(1);
});

test("endpoints that are not proven leave places to those that are, whoever came first", () => {
  const queue = new DeliveryQueue(SMALL);
  prove(queue, "good");
  for (const [at, bad] of ["x", "y", "z"].entries()) queue.put(bad, bad, at);
  for (const id of ["1", "2", "3"]) queue.put(id, "good", 50);
  expect(ids(takeAll(queue, 100))).toEqual(["x", "y", "1", "2"]);
  expect(queue.nextAt()).toBeNull();
});

test("the newest entry of a delivery holds, and an earlier one does not", () => {
  const queue = new DeliveryQueue();
  prove(queue, "e");
  queue.put("a", "e", 10);
  queue.put("a", "e", 30);
  queue.put("b", "e", 20);
  queue.remove("b");
  queue.remove("unknown");
  expect(queue.nextAt()).toBe(30);
  queue.put("a", "e", 5);
  const place = queue.take(5);
  expect(place?.id).toBe("a");
  // An immediate attempt requested while it is being sent: it is not sent twice at a time.
  queue.put("a", "e", 6);
  expect(queue.take(100)).toBeNull();
  if (place !== null) queue.done(place, "taken", null, 7);
  expect(queue.take(100)?.id).toBe("a");
});

test("an endpoint that was forgotten while it was sent to leaves nothing behind", () => {
  const queue = new DeliveryQueue(SMALL);
  queue.put("a", "e", 0);
  const place = queue.take(0);
  queue.forget("e");
  if (place !== null) queue.done(place, "taken", null, 0);
  expect([queue.size, queue.nextAt(), queue.oldestDueAt()]).toEqual([0, null, null]);
  for (const id of ["1", "2", "3"]) queue.put(id, id, 0);
  expect(takeAll(queue, 0)).toHaveLength(SMALL.unprovenInFlightMax);
});

const step = fc.oneof(
  fc.record({ do: fc.constant("put" as const), id: fc.nat(20), at: fc.nat(100) }),
  fc.record({ do: fc.constant("remove" as const), id: fc.nat(20) }),
  fc.record({ do: fc.constant("take" as const) }),
  fc.record({
    do: fc.constant("done" as const),
    which: fc.nat(5),
    how: fc.constantFrom("taken", "refused", "slow", null),
  }),
  fc.record({ do: fc.constant("pass" as const), ms: fc.nat(30_000) }),
);

test("whatever happens, limits hold, nothing is sent twice at a time, and all that waits is sent in the end", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const queue = new DeliveryQueue(SMALL);
      const waiting = new Map<string, number>();
      const sending: Place[] = [];
      let now = 0;
      const take = () => {
        const place = queue.take(now);
        if (place === null) return false;
        expect(ids(sending)).not.toContain(place.id);
        expect(waiting.get(place.id)).toBeLessThanOrEqual(now);
        waiting.delete(place.id);
        sending.push(place);
        expect(sending.length).toBeLessThanOrEqual(SMALL.inFlightMax);
        expect(sending.filter(({ proven }) => !proven).length).toBeLessThanOrEqual(SMALL.unprovenInFlightMax);
        const ofOne = sending.filter(({ endpoint }) => endpoint === place.endpoint).length;
        expect(ofOne).toBeLessThanOrEqual(place.proven ? SMALL.endpointInFlightMax : 2);
        return true;
      };
      for (const one of steps) {
        if (one.do === "put") {
          queue.put(String(one.id), `e${one.id % 4}`, now + one.at);
          waiting.set(String(one.id), now + one.at);
        } else if (one.do === "remove") {
          queue.remove(String(one.id));
          waiting.delete(String(one.id));
        } else if (one.do === "take") {
          take();
        } else if (one.do === "done") {
          const [place] = sending.splice(one.which, 1);
          if (place !== undefined) queue.done(place, one.how, null, now);
        } else {
          now += one.ms;
        }
      }
      for (let round = 0; waiting.size + sending.length > 0; round++) {
        expect(round).toBeLessThan(100);
        now += 60_000;
        while (take());
        for (const place of sending.splice(0)) queue.done(place, "taken", null, now);
      }
      expect([queue.size, queue.nextAt()]).toEqual([0, null]);
    }),
  );
});

/** 99 endpoints that take 50 ms, each with a delivery every 100 ms, for a minute; with or without a hundredth. */
function waitsOfHealthy(withTarPit: boolean): number[] {
  const queue = new DeliveryQueue();
  const dueAt = new Map<string, number>();
  const ends: { readonly at: number; readonly place: Place }[] = [];
  const waits: number[] = [];
  for (let endpoint = 0; endpoint < 99 + (withTarPit ? 1 : 0); endpoint++) {
    for (let n = 0; n < 600; n++) {
      const id = `${endpoint}/${n}`;
      const at = n * 100 + endpoint;
      dueAt.set(id, at);
      queue.put(id, String(endpoint), at);
    }
  }
  for (let now = 0; now < 70_000; now++) {
    for (const end of ends.splice(0)) {
      if (end.at > now) ends.push(end);
      else queue.done(end.place, end.place.endpoint === "99" ? "slow" : "taken", null, now);
    }
    for (const place of takeAll(queue, now)) {
      const isTarPit = place.endpoint === "99";
      if (!isTarPit) waits.push(now - (dueAt.get(place.id) ?? 0));
      ends.push({ at: now + (isTarPit ? 20_000 : 50), place });
    }
  }
  return waits.sort((a, b) => a - b);
}

test("a receiver that does not respond delays 99 others by no millisecond", () => {
  const alone = waitsOfHealthy(false);
  const withSlow = waitsOfHealthy(true);
  expect(alone).toHaveLength(99 * 600);
  expect(withSlow).toEqual(alone);
  expect(withSlow[Math.floor(withSlow.length * 0.99)]).toBe(0);
});
