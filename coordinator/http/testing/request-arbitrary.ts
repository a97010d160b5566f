/** Requests to an operation as its schemas have them, and as nobody expects them. */
import fc from "fast-check";
import type { Described, Parameter } from "./api-document.ts";
import { goodBody, namingsOf } from "./good-requests.ts";
import { HOSTILE_STRINGS } from "./hostile-values.ts";
import { type Mutation, mutated, mutations } from "./mutation.ts";
import { type Making, valuesOf } from "./schema-arbitrary.ts";

/** Ids are written `{services}`, of the caller's team, or `{other:services}`: they are known when it is sent. */
export interface GeneratedRequest {
  readonly method: string;
  /** By noun, for the places of the path. */
  readonly ids: Readonly<Record<string, string>>;
  readonly query: Pairs;
  readonly headers: Pairs;
  readonly body: GeneratedBody | null;
}

type Pairs = readonly (readonly [name: string, value: string])[];

interface GeneratedBody {
  readonly text: string;
  readonly encoding: "utf8" | "latin1" | "utf16le";
}

const NO_ID = ["0".repeat(32), "f".repeat(31), "F".repeat(32), "٠".repeat(32), "g".repeat(32)];
/** Of members that are not ids; each of these is taken. */
const HINTS = {
  url: ["https://hooks.example/", "https://hooks.example:8443/a?b=c"],
  input_url: ["{inputs}"],
  image: ["builtin:noop", "registry:1/prover:v1"],
  verifier_image: [null, "registry:1/verifier"],
  sha256: ["{files}", "0".repeat(64)],
  code: ["{codes}", "{other:codes}"],
};

export function requestsTo(document: Making["document"], described: Described): fc.Arbitrary<GeneratedRequest> {
  const { operation } = described;
  const ids = Object.fromEntries(namingsOf(operation).map(({ member, noun }) => [member, idsOf(noun)]));
  const making = { document, hints: { ...HINTS, ...ids } };
  return fc.record({
    method: fc.oneof({ arbitrary: fc.constant(described.method), weight: 30 }, fc.constantFrom("HEAD", "PUT", "PATCH")),
    ids: fc.record(Object.fromEntries(placesOf(described).map((noun) => [noun, idTexts(noun)]))),
    query: queries(making, described),
    headers: headers(described),
    body: bodies(making, described),
  });
}

function placesOf({ path }: Described): readonly string[] {
  return [...path.matchAll(/([^/]+)\/\{/g)].map(([, noun = ""]) => noun);
}

function idsOf(noun: string): readonly string[] {
  return [`{${noun}}`, `{other:${noun}}`, ...NO_ID];
}

function idTexts(noun: string): fc.Arbitrary<string> {
  return fc.oneof(
    { arbitrary: fc.constant(`{${noun}}`), weight: 8 },
    { arbitrary: fc.constantFrom(...idsOf(noun)), weight: 1 },
    // An empty one is another path.
    { arbitrary: fc.constantFrom(...HOSTILE_STRINGS.filter((text) => text !== "" && !text.includes("/"))), weight: 1 },
  );
}

function queries(making: Making, { operation: { parameters = [] } }: Described): fc.Arbitrary<Pairs> {
  const known = parameters.filter((one) => one.in === "query");
  const named = known.map(({ name, schema }) => {
    const values = fc.oneof(
      { arbitrary: valuesOf(making, schema, name).map(String), weight: 6 },
      { arbitrary: fc.constantFrom(...HOSTILE_STRINGS), weight: 1 },
    );
    const one = values.map((value) => [[name, value] as const]);
    return fc.oneof(
      { arbitrary: fc.constant([]), weight: 8 },
      { arbitrary: one, weight: 8 },
      { arbitrary: fc.tuple(one, one).map((two) => two.flat()), weight: 1 },
    );
  });
  const unauthenticated = fc.tuple(fc.constantFrom(...HOSTILE_STRINGS), fc.constantFrom(...HOSTILE_STRINGS));
  // Nearly every endpoint refuses one, and looks at nothing else then.
  const unknown = fc.oneof({ arbitrary: fc.constant([]), weight: 8 }, fc.tuple(unauthenticated));
  return fc.tuple(...named, unknown).map((all) => all.flat());
}

/** What any request may carry. */
const STRANGE_HEADERS: Pairs = [
  ["x-team", "{teams}"],
  ["x-team", "{other:teams}"],
  ["x-api-key", "eps_x"],
  ["host", "other.example"],
  ["content-type", "text/plain"],
  ["content-type", "application/json; charset=utf-16"],
  ["content-encoding", "gzip"],
  ["content-encoding", "br, identity"],
  ["accept", "text/html"],
  ["accept-encoding", "gzip"],
  ["range", "bytes=0-0"],
  ["if-none-match", "*"],
  ["x-http-method-override", "DELETE"],
  ["x-forwarded-host", "other.example"],
  ["x-forwarded-for", "127.0.0.1, ::1"],
  ["forwarded", "host=other.example"],
  ["cookie", "__proto__=1"],
  ["authorization", "Basic e30="],
  ["authorization", "Bearer x"],
  ["upgrade", "h2c"],
  ["te", "trailers"],
  ["expect", "x"],
  ["origin", "null"],
  ["last-event-id", "-1"],
  ["idempotency-key", "a b"],
  ["idempotency-key", "k".repeat(5_000)],
];

function headers({ operation: { parameters = [] } }: Described): fc.Arbitrary<Pairs> {
  const own = parameters.filter((one: Parameter) => one.in === "header").map(({ name }) => name);
  const names = fc.constantFrom("x-team", "x-request-id", "last-event-id", "accept", ...own);
  // Anything above a space and below DEL may stand in a head, and so may bytes that are no ASCII.
  const values = fc.constantFrom(...HOSTILE_STRINGS.map((text) => text.replace(/[^\x20-\x7e\xa0-\xff]/g, "ÿ")));
  const strange = fc.oneof(fc.constantFrom(...STRANGE_HEADERS), fc.tuple(names, values));
  return fc.oneof(
    { arbitrary: fc.constant([]), weight: 2 },
    { arbitrary: fc.array(strange, { maxLength: 3 }), weight: 1 },
  );
}

function bodies(making: Making, { operation }: Described): fc.Arbitrary<GeneratedBody | null> {
  const good = goodBody(operation);
  const schema = Object.values(operation.requestBody?.content ?? {})[0]?.schema ?? {};
  // Endpoints without a body are sent one now and then.
  if (good === null) return fc.oneof({ arbitrary: fc.constant(null), weight: 4 }, textBodies(fc.constant({})));
  const values = fc.oneof(fc.constant(valueIn(good)), valuesOf(making, schema));
  return fc.oneof(
    { arbitrary: fc.constant({ text: good, encoding: "utf8" } as const), weight: 1 },
    { arbitrary: textBodies(values), weight: 8 },
  );
}

function textBodies(values: fc.Arbitrary<unknown>): fc.Arbitrary<GeneratedBody> {
  const encodings = fc.oneof(
    { arbitrary: fc.constant("utf8" as const), weight: 12 },
    fc.constantFrom("latin1" as const, "utf16le" as const),
  );
  return fc.tuple(values, mutations, encodings).map(([value, mutation, encoding]: [unknown, Mutation, Encoding]) => ({
    text: mutated(value, mutation),
    encoding,
  }));
}

type Encoding = GeneratedBody["encoding"];

/** Bodies that are bytes of any kind are mutated as a string. */
function valueIn(good: string): unknown {
  try {
    return JSON.parse(good);
  } catch {
    return good;
  }
}
