/** Text of a line to what it records. What is not as documented is an error that says which member is wrong. */
import { FUNCTIONS, type HistoryLine, OUTCOMES, PHASES, STATES } from "./history-line.ts";
import {
  AMOUNT,
  isObject,
  listOf,
  nullable,
  OBJECT,
  oneOf,
  optional,
  POSITIVE,
  SHA256,
  type Shape,
  shaped,
  TEXT,
  TIME,
  TIMESTAMP,
  WHOLE,
  WORDS,
  wrongMember,
} from "./shape.ts";

export class BadLineError extends Error {}

const SEEN: Shape = {
  state: oneOf(STATES),
  phase: oneOf(PHASES),
  result_sha256: optional(nullable(SHA256)),
  result_made: optional(TIME),
  created: optional(TIMESTAMP),
  started: optional(nullable(TIMESTAMP)),
  finished: optional(nullable(TIMESTAMP)),
};
const OF_AUDIT = shaped({ kind: WORDS, id: WORDS });

const SHAPES: Readonly<Record<HistoryLine["kind"], Shape>> = {
  call: {
    process: TEXT,
    call: WHOLE,
    type: oneOf(["invoke", ...OUTCOMES]),
    f: oneOf(FUNCTIONS),
    at: TIME,
    task_id: optional(TEXT),
    input_sha256: optional(SHA256),
    key: optional(TEXT),
    task: optional(nullable(shaped(SEEN))),
    error: optional(WORDS),
  },
  write: {
    task_id: TEXT,
    revision: POSITIVE,
    phase: nullable(oneOf(PHASES)),
    attempt: optional(POSITIVE),
    node: optional(WORDS),
    claimed: optional(TIME),
    input_sha256: optional(SHA256),
    result_sha256: optional(SHA256),
    created: optional(TIME),
    started: optional(nullable(TIME)),
    finished: optional(TIME),
    at: optional(TIME),
  },
  execution: {
    type: oneOf(["start", "finish"]),
    run: optional(TEXT),
    holder: TEXT,
    workload: optional(TEXT),
    attempt: optional(POSITIVE),
    token: optional(POSITIVE),
    node: TEXT,
    at: TIME,
    uses: optional(listOf(TEXT)),
    slots: optional(WHOLE),
    result_sha256: optional(SHA256),
  },
  node: { node: TEXT, slots: WHOLE },
  marker: { name: TEXT, at: TIME, node: optional(TEXT) },
  count: { name: TEXT, when: oneOf(["before", "after"]), value: AMOUNT, growth_max: optional(AMOUNT) },
  task: {
    ...SEEN,
    task_id: TEXT,
    created: TIMESTAMP,
    started: nullable(TIMESTAMP),
    finished: nullable(TIMESTAMP),
    attempt: WHOLE,
    result_bytes: nullable(WHOLE),
  },
  audit: {
    entry_id: TEXT,
    created: TIMESTAMP,
    action: TEXT,
    object: OF_AUDIT,
    also: listOf(OF_AUDIT),
    also_left_out: optional(nullable(WHOLE)),
    after: nullable(OBJECT),
  },
};

/**
 * What a line of a file records: mostly one thing, several where it is a page of a list, none where it is blank or only
 * ends an array: what the HTTP interface exports is read as it is.
 */
export function parseLine(text: string): readonly HistoryLine[] {
  const bare = text
    .trim()
    .replace(/^\[(?=[{\]]|$)/, "")
    .replace(/(?<=^|\})[,\]]+$/, "");
  if (bare === "") return [];
  const value = parse(bare);
  const items = isObject(value) && value.kind === undefined && Array.isArray(value.items) ? value.items : [value];
  return items.map(recordOf);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // V8 names the character or the position, and then repeats the text.
    throw new BadLineError(`not valid JSON: ${(error as Error).message.split(", ")[0]}`);
  }
}

function recordOf(value: unknown): HistoryLine {
  if (!isObject(value)) throw new BadLineError("not an object");
  const kind = kindOf(value);
  const shape = Object.hasOwn(SHAPES, kind) ? SHAPES[kind as HistoryLine["kind"]] : undefined;
  if (shape === undefined) throw new BadLineError(`\`kind\` is not one of ${Object.keys(SHAPES).join(", ")}`);
  const wrong = wrongMember(value, shape);
  if (wrong !== null) throw new BadLineError(wrong);
  if (kind === "task") return withoutTexts(value);
  return { ...value, kind } as unknown as HistoryLine;
}

/** What is exported has no kind, and is known by its id. */
function kindOf(value: Readonly<Record<string, unknown>>): string {
  if (value.kind !== undefined) return String(value.kind);
  if (value.entry_id !== undefined) return "audit";
  return value.task_id === undefined ? "" : "task";
}

/** Of an exported task its input, result and logs are not retained. */
function withoutTexts(value: Readonly<Record<string, unknown>>): HistoryLine {
  const { task_id, state, phase, created, started, finished, attempt, result_bytes } = value;
  const task = { kind: "task", task_id, state, phase, created, started, finished, attempt, result_bytes };
  return task as unknown as HistoryLine;
}
