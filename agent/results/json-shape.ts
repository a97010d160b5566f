/**
 * Checks a response as its bytes come and says what identifies envelope and result: where the value is,
 * of which kind it is and, for an object, where its first members do. A result may be larger than any string.
 */
import { type JsonFault, type JsonListener, JsonScanner, type Span } from "@elastic/std/json/json-scanner.ts";
import { NotJsonError } from "./not-json.ts";

interface Member {
  /** The key without its quotes, escapes as they stand. */
  readonly key: Span;
  readonly value: Span;
}

export interface JsonShape {
  readonly kind: "string" | "object" | "other";
  readonly value: Span;
  /** The first members of an object, at most MEMBERS_MAX. */
  readonly members: readonly Member[];
}

export interface ShapeScan {
  /** Throws a NotJsonError when the response cannot be JSON any more. */
  push(chunk: Buffer): void;
  /** The shape of all of it; throws a NotJsonError when it is not complete. */
  end(): JsonShape;
}

/** One more than an envelope has, so that a larger object differs from one. */
const MEMBERS_MAX = 6;
const DEPTH_MAX = 1024;

export function scanShape(): ShapeScan {
  const members: Member[] = [];
  let kind: JsonShape["kind"] = "other";
  let lastKey: Span = { start: 0, end: 0 };
  const listener: JsonListener = {
    begin: (byte) => {
      kind = byte === 0x22 ? "string" : byte === 0x7b ? "object" : "other";
      return true;
    },
    key: (key) => {
      lastKey = key;
      return true;
    },
    member: (value) => {
      if (members.length < MEMBERS_MAX) members.push({ key: lastKey, value });
    },
  };
  const scanner = new JsonScanner({ listener, depthMax: DEPTH_MAX });
  return {
    push: (chunk) => refuse(scanner.push(chunk)),
    end: () => {
      refuse(scanner.end());
      return { kind, value: scanner.value, members };
    },
  };
}

function refuse(fault: JsonFault | null): void {
  if (fault !== null) throw new NotJsonError(messageOf(fault));
}

function messageOf({ kind, at }: JsonFault): string {
  switch (kind) {
    case "incomplete":
      return at === 0 ? "it is empty" : "it is not complete JSON";
    case "too-deep":
      return `it nests deeper than ${DEPTH_MAX} levels`;
    case "not-utf8":
      return `it is not UTF-8 (at byte ${at})`;
    case "control-character":
      return `it is not JSON (a control character at byte ${at})`;
    case "escape":
      return `it is not JSON (an unknown escape at byte ${at})`;
    default:
      return `it is not JSON (at byte ${at})`;
  }
}
