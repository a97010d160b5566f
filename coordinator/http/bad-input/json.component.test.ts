/** Bodies: what is no JSON, or JSON that two readers could understand in two ways, and values that survive as they came. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ProblemCode } from "../problems/problem.ts";
import { type ApiApart, startApiApart } from "../testing/api-apart.ts";
import { type CallResponse, call } from "../testing/call.ts";
import { expectRefused } from "../testing/refusal.ts";

type Body = string | Uint8Array<ArrayBuffer>;

let api: ApiApart;

beforeAll(async () => {
  api = await startApiApart();
});
afterAll(() => api[Symbol.asyncDispose]());

function postTask(body: Body): Promise<CallResponse> {
  return api.unstalled(() => call(`${api.url}/v1/services/${api.serviceId}`, { key: api.key, body }));
}

function postService(body: Body): Promise<CallResponse> {
  return api.unstalled(() => call(`${api.url}/v1/services`, { key: api.key, body }));
}

function bytes(...parts: readonly (string | readonly number[])[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat(parts.map((part) => Buffer.from(part as string))));
}

function utf16(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(text, "utf16le"));
}

function nested(levels: number, open = "[", close = "]"): string {
  return open.repeat(levels) + close.repeat(levels);
}

const NO_JSON: readonly (readonly [what: string, body: Body, code?: ProblemCode])[] = [
  ["nothing", ""],
  ["white space", " \n\t"],
  ["a form", "input=1&a=2"],
  ["half a document", '{"input":'],
  ["half a text", '{"input":"a'],
  ["two documents", '{"input":1}{"input":2}'],
  ["a document for each line", '{"input":1}\n{"input":2}\n'],
  ["a byte order mark", '\ufeff{"input":1}'],
  ["a trailing comma", '{"input":1,}'],
  ["a trailing comma within", '{"input":[1,]}'],
  ["a comment", '{"input":1/* one */}'],
  ["a comment after it", '{"input":1}// one'],
  ["single quotes", "{'input':1}"],
  ["a key without quotes", "{input:1}"],
  ["NaN", '{"input":NaN}'],
  ["Infinity", '{"input":-Infinity}'],
  ["undefined", '{"input":undefined}'],
  ["a leading zero", '{"input":01}'],
  ["a leading plus", '{"input":+1}'],
  ["a fraction without a digit", '{"input":1.}'],
  ["a number that begins with its point", '{"input":.5}'],
  ["hexadecimal", '{"input":0x10}'],
  ["a line break in a text", '{"input":"a\nb"}'],
  ["a NUL in a text", '{"input":"\0"}'],
  ["an escape that is none", '{"input":"\\x41"}'],
  ["half an escape", '{"input":"\\u12"}'],
  ["UTF-16", utf16('{"input":1}'), "not_json"],
  ["UTF-16 with its mark", utf16('\ufeff{"input":1}'), "not_utf8"],
  ["an overlong slash", bytes('{"input":"', [0xc0, 0xaf], '"}'), "not_utf8"],
  ["an overlong NUL", bytes('{"input":"', [0xc0, 0x80], '"}'), "not_utf8"],
  ["half a character", bytes('{"input":"', [0xe2, 0x82], '"}'), "not_utf8"],
  ["a surrogate in UTF-8", bytes('{"input":"', [0xed, 0xa0, 0x80], '"}'), "not_utf8"],
  ["a byte that is never UTF-8", bytes('{"input":"', [0xff], '"}'), "not_utf8"],
  ["what is beyond Unicode", bytes('{"input":"', [0xf4, 0x90, 0x80, 0x80], '"}'), "not_utf8"],
  ["Latin-1", bytes('{"input":"', [0xe9], '"}'), "not_utf8"],
  ["a key that is not UTF-8", bytes('{"', [0xff], '":1,"input":1}'), "not_utf8"],
  ["an array", '[{"input":1}]', "not_an_object"],
  ["null", "null", "not_an_object"],
  ["a text", '"input"', "not_an_object"],
  ["a number", "1", "not_an_object"],
  ["a key that stands twice", '{"input":1,"a":1,"a":2}', "duplicate_key"],
  ["a key that stands twice, once escaped", '{"input":1,"\\u0069nput":2}', "duplicate_key"],
  [
    "a limit that stands twice",
    '{"input":1,"limits":{"run_timeout_seconds":1,"run_timeout_seconds":9}}',
    "duplicate_key",
  ],
  ["__proto__ twice", '{"input":1,"__proto__":1,"__proto__":2}', "duplicate_key"],
  ["a key of 1025 bytes", `{"input":1,"${"k".repeat(1025)}":1}`, "key_too_long"],
  ["257 keys", `{"input":1,${Array.from({ length: 256 }, (_, n) => `"k${n}":1`).join(",")}}`, "too_many_keys"],
  ["65 levels", `{"input":${nested(64)}}`, "too_deep"],
  ["65 levels of objects", `{"input":${'{"a":'.repeat(64)}1${"}".repeat(64)}}`, "too_deep"],
  ["30,000 levels that never close", `{"input":${"[".repeat(30_000)}`, "too_deep"],
];

describe.each([
  ["a task", (body: Body) => postTask(body)],
  ["a service", (body: Body) => postService(body)],
])("%s is refused with", (_what, post) => {
  for (const [what, body, code = "not_json"] of NO_JSON) {
    test(what, async () => expectRefused(await post(body), 400, code));
  }
});

test("five million levels are refused before they are looked at", async () => {
  expectRefused(await postTask(`{"input":${nested(5_000_000)}}`), 400, "too_deep");
  expectRefused(await postTask(`{"input":${'{"a":'.repeat(1_500_000)}`), 400, "too_deep");
});

describe("an input is stored byte for byte:", () => {
  test.each([
    ["2^53 + 1", "9007199254740993"],
    ["20 digits", "18446744073709551616"],
    ["10,000 digits", "9".repeat(10_000)],
    ["more than a double holds", "1e400"],
    ["less than a double holds", "-1e-400"],
    ["minus zero", "-0"],
    ["a fraction of nothing", "1.0"],
    ["a capital E", "1E2"],
    ["keys that are numbers, in their order", '{"2":2,"1":1}'],
    ["keys that stand twice", '{"a":1,"a":2}'],
    ["__proto__", '{"__proto__":{"admin":true}}'],
    ["constructor.prototype", '{"constructor":{"prototype":{"admin":true}}}'],
    ["toString", '{"toString":null,"valueOf":1}'],
    ["an escaped surrogate alone", '"\\ud800"'],
    ["an escaped NUL", '"\\u0000"'],
    ["white space within", '{ "a" :\t[ ] }'],
    ["64 levels with the body's own", nested(63)],
    ["null", "null"],
    ["an empty text", '""'],
    ["a text that turns the reading", '"\u202eabc"'],
  ])("%s", async (_what, input) => {
    const { status, json } = await postTask(`{ "input" : ${input} , "ignored":${input}}`);
    expect([status, json.input]).toEqual([201, input]);
  });
});

describe("in addition to an input", () => {
  test.each([
    ["__proto__", '"__proto__":{"priority":5}'],
    ["constructor", '"constructor":{"prototype":{}}'],
    ["toString", '"toString":1'],
    ["keys that are numbers", '"0":1,"1":2'],
    ["a priority with a fraction of nothing", '"priority":0.0'],
    ["a priority of minus zero", '"priority":-0'],
  ])("%s changes nothing", async (_what, member) => {
    const { status, json } = await postTask(`{${member},"input":1}`);
    expect([status, json.input, JSON.parse(JSON.stringify(json)).priority]).toEqual([201, "1", 0]);
  });

  test.each([
    ["a priority beyond all bounds", '"priority":1e400'],
    ["a priority of 2^53 + 1", '"priority":9007199254740993'],
    ["a priority with a fraction", '"priority":0.5'],
    ["a priority as a text", '"priority":"1"'],
    ["a priority of null", '"priority":null'],
    ["limits as an array", '"limits":[]'],
    ["limits of nothing", '"limits":{"run_timeout_seconds":0}'],
    ["limits that are not known", '"limits":{"runs":1}'],
    ["limits named __proto__", '"limits":{"__proto__":{"run_timeout_seconds":1}}'],
    ["another input", '"input_upload_id":"x"'],
    ["options of 9,000 bytes", `"limits":{"a":"${"x".repeat(9_000)}"}`],
  ])("%s is refused", async (_what, member) => {
    expectRefused(await postTask(`{${member},"input":1}`), 422, "invalid_request");
  });
});

describe("where a schema reads the body", () => {
  test("a key that stands twice further down is refused", async () => {
    expectRefused(await postService('{"service_name":"a","x":[{"a":1,"a":2}]}'), 400, "duplicate_key");
  });

  test.each([
    ["__proto__", '{"service_name":"a","__proto__":{"service_name":"b"}}'],
    ["__proto__, escaped", '{"service_name":"a","\\u005f_proto__":1}'],
    ["a number for a text", '{"service_name":1e400}'],
    ["null for a text", '{"service_name":null}'],
    ["an object for a text", '{"service_name":{"toString":"a"}}'],
    ["a text for a number", '{"service_name":"a","result_retention_seconds":"7200"}'],
    ["a number beyond all bounds", '{"service_name":"a","result_retention_seconds":1e400}'],
    ["a number that no double holds", '{"service_name":"a","result_retention_seconds":9007199254740993}'],
  ])("%s is refused", async (_what, body) => {
    const { status } = await postService(body);
    expect(status).toBe(422);
  });
});
