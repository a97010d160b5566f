/**
 * What is too much of one webhook's deliveries: ended ones stay listed for a week, a thousand at most; what waits is
 * bounded too, in number and age, and the oldest goes first. Pure.
 */
import type { Instant } from "@elastic/std/clock.ts";
import { type Delivery, drop } from "../domain/delivery.ts";
import type { Versioned } from "../domain/versioned.ts";
import { remove, replace } from "../store/change.ts";
import type { Change } from "../store/store.ts";

export const ENDED_KEPT_MAX = 1_000;
/** A receiver that is away while more happens can read the list of tasks. */
export const PENDING_MAX = 10_000;
export const KEPT_MS = 7 * 24 * 3_600_000;

/** `exists` is false for a webhook that was deleted: then all of it goes. */
export function tidyDeliveries(deliveries: Iterable<Versioned<Delivery>>, exists: boolean, now: Instant): Change[] {
  const all = [...deliveries];
  if (!exists) return all.map((one) => remove("deliveries", one));
  const pending = newestFirst(all.filter(({ value }) => value.phase.kind === "pending"));
  const ended = newestFirst(all.filter(({ value }) => value.phase.kind !== "pending"));
  const isOld = ({ value }: Versioned<Delivery>) => value.createdAt <= now - KEPT_MS;
  return [
    ...ended.filter((one, index) => index >= ENDED_KEPT_MAX || isOld(one)).map((one) => remove("deliveries", one)),
    ...pending
      .filter((one, index) => index >= PENDING_MAX || isOld(one))
      .map((one) => replace("deliveries", one, drop(one.value, isOld(one) ? "too_old" : "queue_full", now))),
  ];
}

/** Ids sort by the time they were made at. */
function newestFirst(deliveries: readonly Versioned<Delivery>[]): readonly Versioned<Delivery>[] {
  return deliveries.toSorted((a, b) => (a.value.id < b.value.id ? 1 : -1));
}
