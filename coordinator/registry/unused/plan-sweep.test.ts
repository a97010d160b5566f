import { expect, test } from "vitest";
import { claimed, type RegistryImage, seenImage } from "../../domain/registry-image.ts";
import type { ImageReferences } from "./image-references.ts";
import { planSweep } from "./plan-sweep.ts";

const NOW = 1_800_000_000_000;
const GRACE = 7 * 24 * 3_600_000;
const LONG_AGO = NOW - GRACE;
const REPOSITORY = "team/prover";

/** Unused for long enough to be deleted, unless something else is given. */
function anImage(digest: string, given: Partial<RegistryImage> = {}): RegistryImage {
  const content = { bytes: 1, parts: [], subject: null };
  return { ...seenImage({ repository: REPOSITORY, digest }, content, LONG_AGO), ...given };
}

/** The digests that are due, in order. */
function dueOf(
  images: readonly RegistryImage[],
  names: readonly string[] = [],
  { tagged = {}, beingPushed = [] }: { readonly tagged?: Record<string, string>; readonly beingPushed?: string[] } = {},
): readonly string[] {
  const references: ImageReferences = { names: new Set(names), beingPushed: new Set(beingPushed) };
  const rule = { graceMs: GRACE, now: NOW };
  return planSweep(images, new Map(Object.entries(tagged)), references, rule).due.map(({ digest }) => digest);
}

test("has an image deleted once its grace is over, and not a millisecond before", () => {
  expect(dueOf([anImage("a"), anImage("b", { unusedSince: LONG_AGO + 1 })])).toEqual(["a"]);
});

test("retains what is referred to by its digest or by a tag that it has now, in that repository only", () => {
  const other = anImage("a", { id: "team/other@a", repository: "team/other" });
  const images = [anImage("a"), other, anImage("b"), anImage("c")];
  const tagged = { [`${REPOSITORY}:v1`]: "b", [`${REPOSITORY}:v2`]: "c" };
  expect(dueOf(images, [`${REPOSITORY}@a`, `${REPOSITORY}:v1`], { tagged })).toEqual(["a", "c"]);
});

test("begins the grace when the last reference is gone, and forgets it while there is one", () => {
  const rule = { graceMs: GRACE, now: NOW };
  const references = { names: new Set([`${REPOSITORY}@a`]), beingPushed: new Set<string>() };
  const known = [anImage("a", { claimedAt: 1 }), anImage("b", { unusedSince: null })];
  const { images, due } = planSweep(known, new Map(), references, rule);
  expect(images).toEqual([anImage("a", { unusedSince: null }), anImage("b", { unusedSince: NOW })]);
  expect(due).toEqual([]);
  const unchanged = [anImage("c")];
  expect(planSweep(unchanged, new Map(), references, rule).images[0]).toBe(unchanged[0]);
});

test("retains the parts of an index that is used or young, and has an index deleted before its parts", () => {
  const parts = [anImage("p"), anImage("q"), anImage("r")];
  const old = anImage("old", { parts: ["p", "q"] });
  const young = anImage("young", { parts: ["q", "r"], unusedSince: NOW });
  expect(dueOf([...parts, old, young])).toEqual(["old", "p"]);
  expect(dueOf([...parts, old], [`${REPOSITORY}@old`])).toEqual(["r"]);
  const nested = anImage("nested", { parts: ["old"] });
  expect(dueOf([...parts, old, nested], [`${REPOSITORY}@nested`])).toEqual(["r"]);
  expect(dueOf([...parts, old, nested])).toEqual(["nested", "old", "p", "q", "r"]);
});

test("retains the signature of an image as long as the image, and has it deleted after the image", () => {
  const images = [anImage("signature", { subject: "a" }), anImage("a")];
  expect(dueOf(images, [`${REPOSITORY}@a`])).toEqual([]);
  expect(dueOf(images)).toEqual(["a", "signature"]);
});

test("leaves a repository alone that a build pushes to, and an image that another coordinator has claimed", () => {
  expect(dueOf([anImage("a")], [], { beingPushed: [REPOSITORY] })).toEqual([]);
  expect(dueOf([claimed(anImage("a"), NOW - 1000)])).toEqual([]);
  expect(dueOf([claimed(anImage("a"), LONG_AGO)])).toEqual(["a"]);
});

test("comes to an end where two images say of each other that they describe it", () => {
  expect(dueOf([anImage("a", { subject: "b" }), anImage("b", { subject: "a" })])).toHaveLength(2);
});
