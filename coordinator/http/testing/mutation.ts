/** Ways to make of a good body one that nobody expects, as text: what JSON.stringify would never write is among them. */
import fc from "fast-check";
import { HOSTILE_BODIES, HOSTILE_JSON, HOSTILE_STRINGS } from "./hostile-values.ts";

export type Mutation =
  | { readonly kind: "none" }
  /** The value at a place becomes this JSON text. */
  | { readonly kind: "replace"; readonly place: number; readonly by: string }
  | { readonly kind: "remove"; readonly place: number }
  /** The member at a place stands there twice. */
  | { readonly kind: "double"; readonly place: number }
  | { readonly kind: "add"; readonly name: string; readonly value: string }
  | { readonly kind: "cut"; readonly at: number }
  | { readonly kind: "whole"; readonly text: string };

const place = fc.nat({ max: 50 });
const json = fc.constantFrom(...HOSTILE_JSON);

export const mutations: fc.Arbitrary<Mutation> = fc.oneof(
  { arbitrary: fc.constant({ kind: "none" } as const), weight: 2 },
  { arbitrary: fc.record({ kind: fc.constant("replace" as const), place, by: json }), weight: 6 },
  { arbitrary: fc.record({ kind: fc.constant("remove" as const), place }), weight: 2 },
  { arbitrary: fc.record({ kind: fc.constant("double" as const), place }), weight: 1 },
  {
    arbitrary: fc.record({ kind: fc.constant("add" as const), name: fc.constantFrom(...HOSTILE_STRINGS), value: json }),
    weight: 2,
  },
  { arbitrary: fc.record({ kind: fc.constant("cut" as const), at: fc.nat({ max: 200 }) }), weight: 1 },
  {
    arbitrary: fc.record({ kind: fc.constant("whole" as const), text: fc.constantFrom(...HOSTILE_BODIES) }),
    weight: 1,
  },
);

/** Stands for JSON text until the rest is written. */
const MARK = "\u0001mark";

/** The value as JSON text, mutated. Places count through all members and items, around the end to the first. */
export function mutated(value: unknown, mutation: Mutation): string {
  const copy: unknown = structuredClone(value);
  switch (mutation.kind) {
    case "none":
      return JSON.stringify(copy);
    case "whole":
      return mutation.text;
    case "cut":
      return JSON.stringify(copy).slice(0, mutation.at);
    case "add":
      return withMember(JSON.stringify(copy), `${JSON.stringify(mutation.name)}:${mutation.value}`);
    default:
      return mutatedAt(copy, mutation);
  }
}

function mutatedAt(copy: unknown, mutation: Extract<Mutation, { place: number }>): string {
  const places = placesIn(copy);
  const found = places[mutation.place % places.length];
  if (found === undefined) return JSON.stringify(copy);
  const { holder, key } = found;
  if (mutation.kind === "remove") {
    if (Array.isArray(holder)) holder.splice(Number(key), 1);
    else delete holder[key];
    return JSON.stringify(copy);
  }
  if (mutation.kind === "replace") {
    holder[key] = MARK;
    return JSON.stringify(copy).replace(JSON.stringify(MARK), () => mutation.by);
  }
  if (Array.isArray(holder)) holder.push(holder[Number(key)]);
  else holder[key + MARK] = holder[key];
  return JSON.stringify(copy).replace(JSON.stringify(MARK).slice(1), '"');
}

/** Anything but an object stays as it is. */
function withMember(text: string, member: string): string {
  if (text === "{}") return `{${member}}`;
  return text.endsWith("}") ? `${text.slice(0, -1)},${member}}` : text;
}

interface Place {
  readonly holder: Record<string, unknown>;
  readonly key: string;
}

function placesIn(value: unknown): readonly Place[] {
  if (typeof value !== "object" || value === null) return [];
  const holder = value as Record<string, unknown>;
  return Object.keys(holder).flatMap((key) => [{ holder, key }, ...placesIn(holder[key])]);
}
