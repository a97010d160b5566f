/** Names that users give: images, variables, keys, services, volumes and their files, and keys of single requests. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ProblemCode } from "../problems/problem.ts";
import { type ApiApart, startApiApart } from "../testing/api-apart.ts";
import { type CallResponse, call, callRaw } from "../testing/call.ts";
import { expectRefused } from "../testing/refusal.ts";

const DIGEST = `sha256:${"a".repeat(64)}`;

let api: ApiApart;

beforeAll(async () => {
  api = await startApiApart();
});
afterAll(() => api[Symbol.asyncDispose]());

function post(path: string, body: object | string): Promise<CallResponse> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const url = api.url + path.replace("{id}", api.serviceId);
  return api.unstalled(() => call(url, { key: api.key, body: text }));
}

function deploy(deployment: object): Promise<CallResponse> {
  return post("/v1/services/{id}/deployments", { image: "registry:1/prover", ...deployment });
}

describe("the name of an image", () => {
  const REFUSED: readonly (readonly [image: unknown, code?: ProblemCode])[] = [
    ["", "invalid_request"],
    [" "],
    ["x"],
    ["a/b"],
    ["../../etc/passwd"],
    ["/etc/passwd"],
    ["file:///etc/passwd"],
    ["https://registry:1/prover"],
    ["-v/:/host"],
    ["--privileged"],
    ["registry:1/-v"],
    ["registry:1/prover -v /:/host"],
    ["registry:1/prover;id"],
    ["registry:1/$(id)"],
    ["registry:1/../x"],
    ["registry:1//x"],
    ["registry:1/x/"],
    ["registry:1/./x"],
    ["registry:1/PROVER"],
    ["registry:1/prövér"],
    ["registry:1/рrover"],
    ["registry:1/prover\0"],
    ["registry:1/prover\n"],
    ["registry:1/\u202eprover"],
    ["registry:1/prover:"],
    [`registry:1/prover:${"t".repeat(129)}`],
    ["registry:1/prover:-t"],
    ["registry:1/prover:a:b"],
    ["registry:1/prover@"],
    ["a@sha256:../x"],
    ["registry:1/prover@sha256:../x"],
    [`registry:1/prover@sha256:${"A".repeat(64)}`],
    [`registry:1/prover@sha256:${"a".repeat(63)}`],
    [`registry:1/prover@sha512:${"a".repeat(128)}`],
    [`registry:1/prover@${DIGEST}@${DIGEST}`],
    [`registry:1/${"a".repeat(256)}`],
    [`registry:1/${"a/".repeat(300)}a`],
    ["x".repeat(1025), "invalid_request"],
    ["x".repeat(10_000), "invalid_request"],
    ["user:password@registry:1/x"],
    ["localhost:2379/x", "registry_not_allowed"],
    ["127.0.0.1:5000/x", "registry_not_allowed"],
    ["169.254.169.254/x", "registry_not_allowed"],
    ["[::1]:2379/x"],
    ["registry:99999/x", "registry_not_allowed"],
    ["docker.io/library/alpine", "registry_not_allowed"],
    ["builtin:", "image_not_found"],
    ["builtin:nope", "image_not_found"],
    ["builtin:../noop", "image_not_found"],
    ["builtin:__proto__", "image_not_found"],
    ["BUILTIN:noop"],
    [null, "invalid_request"],
    [["registry:1/prover"], "invalid_request"],
    [1, "invalid_request"],
  ];

  for (const [image, code = "image_invalid"] of REFUSED) {
    test(`${JSON.stringify(image).slice(0, 60)} is refused, of provers and verifiers`, async () => {
      expectRefused(await deploy({ image }), 422, code);
      // A deployment need not have a verifier.
      if (image !== null) expectRefused(await deploy({ verifier_image: image }), 422, code);
    });
  }

  test.each([
    "registry:1/prover",
    "registry:1/team/prover:v1.0_rc-1",
    `registry:1/prover:${"t".repeat(128)}`,
    `registry:1/${"a".repeat(255)}`,
    `registry:1/prover:latest@${DIGEST}`,
    "registry:1/a.b_c__d--e/f",
  ])("%s is taken, and fixed to a digest", async (image) => {
    const { status, text } = await deploy({ image });
    expect([status, JSON.parse(text).image]).toEqual([201, expect.stringMatching(/@sha256:[0-9a-f]{64}$/)]);
  });
});

describe("a variable of the environment", () => {
  test.each([
    "",
    "=",
    "=A",
    "A=B",
    "A B",
    "1A",
    "A-B",
    "A\0",
    "A\n",
    "É",
    "а",
    "A".repeat(129),
    "LD_PRELOAD",
    "LD_LIBRARY_PATH",
    "LD_AUDIT",
    "NVIDIA_VISIBLE_DEVICES",
    "NVIDIA_DRIVER_CAPABILITIES",
    "CUDA_VISIBLE_DEVICES",
    "ELASTIC_INPUT_BYTES_MAX",
    "GCONV_PATH",
    "GLIBC_TUNABLES",
    "PATH",
    "PORT",
    "HOME",
    "TMPDIR",
    "BASH_ENV",
    "NODE_OPTIONS",
  ])("named %j is refused", async (name) => {
    expectRefused(await deploy({ env: { [name]: "x" } }), 422, "invalid_request");
  });

  test.each([
    ["a NUL", '{"A":"a\\u0000b"}', 422],
    ["5,000 bytes", `{"A":"${"x".repeat(5_000)}"}`, 422],
    ["a number", '{"A":1}', 422],
    ["null", '{"A":null}', 422],
    ["an object", '{"A":{}}', 422],
    ["1 MB", `{"A":"${"x".repeat(1_000_000)}"}`, 413],
    ["one value and another", '{"A":"1","A":"2"}', 400],
  ])("of %s is refused", async (_what, env, status) => {
    const response = await post("/v1/services/{id}/deployments", `{"image":"registry:1/prover","env":${env}}`);
    expect([response.status, response.json.code]).toEqual([status, expect.any(String)]);
  });

  test.each([
    ["no text", { A: "" }],
    ["lines", { A: "a\nb\tc" }],
    ["what a shell would run", { A: "$(id); `id`" }],
    ["an equals sign first", { A: "=b" }],
    ["a name in lower case", { ld_preload: "x", path: "y" }],
    ["a name of every object", { constructor: "x", toString: "y" }],
    ["128 characters as a name", { ["A".repeat(128)]: "x" }],
  ])("of %s is taken", async (_what, env) => {
    expect((await deploy({ env })).status).toBe(201);
  });

  test("named __proto__ is refused, and not lost without a word", async () => {
    const body = '{"image":"registry:1/prover","env":{"__proto__":"x"}}';
    expectRefused(await post("/v1/services/{id}/deployments", body), 422, "invalid_request");
  });
});

/** What moves a cursor, turns the reading, or is not to be seen. */
const UNSEEN: readonly string[] = [
  "",
  " ",
  "a ",
  "\ta",
  "a\nb",
  "a\r\nx-injected: 1",
  "a\0b",
  "\u001b[31ma",
  "\u009b31ma",
  "a\u007f",
  "\u202ea",
  "\u2066a",
  "a\u200bb",
  "\ufeffa",
  "a\u2028b",
  "\ue000",
  "\ud800",
  "x".repeat(101),
  "x".repeat(10_000),
];
const SEEN: readonly string[] = ["a", "../x", "<b>a</b>", "=1+1", "' or 1=1 --", "Ключ", "鍵 1", "x".repeat(100)];

describe("a name that people read", () => {
  const NAMED: readonly (readonly [what: string, path: string, body: (name: string) => object])[] = [
    ["of a key", "/v1/keys", (name) => ({ name, scopes: ["keys"] })],
    ["of a webhook", "/v1/services/{id}/webhooks", (name) => ({ name, url: "https://hooks.example/" })],
    [
      "of a GPU",
      "/v1/services/{id}/deployments",
      (name) => ({ image: "registry:1/prover", resources: { gpu_count: 1, gpu_model: name } }),
    ],
  ];

  test.each(NAMED)("%s has nothing in it that is not seen", async (_what, path, body) => {
    for (const name of UNSEEN) expectRefused(await post(path, body(name)), 422, "invalid_request");
  });

  test("may have anything else, of any script", async () => {
    for (const name of SEEN) {
      const { status, json } = await post("/v1/keys", { name, scopes: ["keys"] });
      expect([name, status, json.name]).toEqual([name, 201, name]);
    }
  });
});

describe("a name that stands in commands and paths", () => {
  test.each([
    ["of a service", "/v1/services", "service_name"],
    ["of a volume", "/v1/volumes", "name"],
    ["of a tag", "/v1/services/{id}/deployments", "tag"],
  ])("%s is letters, digits and little else", async (_what, path, member) => {
    const odd = ["a b", "a/b", "-a", "é", "а", "a\u202e", "a;b", "a=b", "a:b", "a@b", "x".repeat(129), null, 1, ["a"]];
    for (const name of [...UNSEEN, ...SEEN.slice(1), ...odd].filter(
      (one) => one !== "x".repeat(101) || member !== "tag",
    )) {
      if (member === "tag" && name === "x".repeat(100)) continue;
      const others = { image: "registry:1/prover", files: [{ path: "a", sha256: "0".repeat(64), bytes: 1 }] };
      const body =
        member === "service_name" ? {} : member === "tag" ? { image: others.image } : { files: others.files };
      expectRefused(await post(path, { ...body, [member]: name }), 422, "invalid_request");
    }
  });
});

test.each([
  "",
  "/etc/passwd",
  "../x",
  "a/../b",
  "./a",
  "a//b",
  "a/",
  "a\\b",
  "a\0",
  "a\nb",
  "\u001b[31m",
  "\ud800",
  "x".repeat(256),
  "a/".repeat(40),
  "x".repeat(2_000),
])("a volume has no file at %j", async (path) => {
  const files = [{ path, sha256: "0".repeat(64), bytes: 1 }];
  expectRefused(await post("/v1/volumes", { name: "keys", files }), 422, "invalid_request");
});

describe("an Idempotency-Key", () => {
  const send = (key: string): Promise<CallResponse> => {
    const lines = [
      `POST /v1/services/${api.serviceId} HTTP/1.1`,
      "host: x",
      `x-api-key: ${api.key}`,
      "content-type: application/json",
      "content-length: 11",
      `idempotency-key: ${key}`,
      "connection: close",
    ];
    const head = Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
    return api.unstalled(() => callRaw(api.url, Buffer.concat([head, Buffer.from('{"input":1}')])));
  };

  test.each([
    ["nothing", ""],
    ["a space within", "a b"],
    ["a tab within", "a\tb"],
    ["another script", "\xe9"],
    ["UTF-8", Buffer.from("ключ").toString("latin1")],
    ["256 characters", "k".repeat(256)],
    ["10,000 characters", "k".repeat(10_000)],
  ])("of %s is refused", async (_what, key) => {
    expectRefused(await send(key), 400, "idempotency_key_invalid");
  });

  test.each(["k".repeat(255), '"quoted"', "__proto__", "../x", "%00", ","])("of %s is one", async (key) => {
    const [first, second] = [await send(key), await send(key)];
    expect([first.status, second.status, second.json.task_id]).toEqual([201, 201, first.json.task_id]);
  });
});
