import { execFileSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { makeSigningRequest, readSigningRequest, SigningRequestError } from "./signing-request.ts";

const dir = mkdtempSync(join(tmpdir(), "requests-"));
afterAll(() => rmSync(dir, { recursive: true }));

const FORM = "is not one for a common name and a P-256 key, without attributes, signed with ECDSA and SHA-256";
const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });

function openssl(...args: readonly string[]): string {
  return execFileSync("openssl", args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

/** A request of openssl's own making, in DER. */
function foreign(key: readonly string[], ...more: readonly string[]): Buffer {
  const file = join(dir, "foreign.der");
  openssl(
    "req",
    "-new",
    "-newkey",
    ...key,
    "-nodes",
    "-keyout",
    join(dir, "foreign.key"),
    "-outform",
    "DER",
    "-out",
    file,
    ...more,
  );
  return readFileSync(file);
}

const P256 = ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"];

test("a request says its name and key, and openssl reads and verifies it", () => {
  const der = makeSigningRequest("gpu-7", publicKey, privateKey);
  const read = readSigningRequest(der);
  expect(read.name).toBe("gpu-7");
  expect(read.publicKey.equals(publicKey)).toBe(true);
  const file = join(dir, "own.der");
  writeFileSync(file, der);
  expect(openssl("req", "-inform", "DER", "-in", file, "-noout", "-verify", "-subject")).toContain("gpu-7");
});

test("what openssl makes of a name and a P-256 key is taken", () => {
  expect(readSigningRequest(foreign(P256, "-subj", "/CN=gpu-7")).name).toBe("gpu-7");
});

test("a request in another form is refused with a sentence", () => {
  const others = [
    foreign(["rsa:2048"], "-subj", "/CN=gpu-7"),
    foreign(["ec", "-pkeyopt", "ec_paramgen_curve:P-384"], "-subj", "/CN=gpu-7"),
    foreign(P256, "-subj", "/O=elastic/CN=gpu-7"),
    foreign(P256, "-subj", "/O=gpu-7"),
    foreign(P256, "-subj", "/CN=gpu-7", "-addext", "subjectAltName=URI:elastic://node/gpu-8"),
    Buffer.alloc(0),
    Buffer.from("hello"),
  ];
  for (const der of others) expect(() => readSigningRequest(der)).toThrow(new SigningRequestError(FORM));
  expect(() => readSigningRequest(Buffer.alloc(1025))).toThrow("is longer than 1024 bytes");
});

test("a request that names a key which did not sign it is refused", () => {
  const other = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const der = makeSigningRequest("gpu-7", publicKey, other.privateKey);
  expect(() => readSigningRequest(der)).toThrow("is not signed with the key that it names");
});

test("no request with a bit turned, and none that is cut or longer, is taken", () => {
  const der = makeSigningRequest("gpu-7", publicKey, privateKey);
  for (let bit = 0; bit < der.length * 8; bit += 1) {
    const turned = Buffer.from(der);
    turned[bit >> 3] = (turned[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    expect(() => readSigningRequest(turned)).toThrow(SigningRequestError);
  }
  for (let length = 0; length < der.length; length += 1) {
    expect(() => readSigningRequest(der.subarray(0, length))).toThrow(SigningRequestError);
  }
  expect(() => readSigningRequest(Buffer.concat([der, Buffer.alloc(1)]))).toThrow(FORM);
});
