import { generateKeyPairSync } from "node:crypto";
import ssh2 from "ssh2";
import { describe, expect, test } from "vitest";
import { newKeyPair } from "../shells/new-key-pair.ts";
import { NotAKey, readPublicKey } from "./authorized-key.ts";

const { public: ED25519 } = newKeyPair();
const { public: ECDSA } = ssh2.utils.generateKeyPairSync("ecdsa", { bits: 256 });

function rsa(bits: number): string {
  const { publicKey } = generateKeyPairSync("rsa", { modulusLength: bits });
  const { n = "", e = "" } = publicKey.export({ format: "jwk" });
  const part = (bytes: Buffer) => Buffer.concat([Buffer.from([0, 0, bytes.length >> 8, bytes.length & 255]), bytes]);
  const number = (text: string) => part(Buffer.concat([Buffer.from([0]), Buffer.from(text, "base64url")]));
  return `ssh-rsa ${Buffer.concat([part(Buffer.from("ssh-rsa")), number(e), number(n)]).toString("base64")}`;
}

describe("a public key", () => {
  test("is read with its comment, and has the fingerprint that ssh-keygen prints", () => {
    const known = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl github.com key";
    expect(readPublicKey(known)).toEqual({
      type: "ssh-ed25519",
      blob: known.split(" ")[1],
      fingerprint: "SHA256:+DiY3wvvV6TuJJhbpZisF/zLDA0zPMSvHdkr4UvCOqU",
      comment: "github.com key",
    });
  });

  test.each([ED25519, ECDSA, rsa(2048), rsa(4096)])("of each common type is taken: %.24s", (text) => {
    expect(readPublicKey(text).type).toBe(text.split(" ")[0]);
  });

  test.each([
    ["", /one line/],
    ["-----BEGIN OPENSSH PRIVATE KEY-----\nabc", /private key/],
    [`command="rm" ${ED25519}`, /one line/],
    [`${ED25519}\n${ED25519}`, /one line/],
    ["ssh-dss AAAAB3NzaC1kc3M=", /not taken/],
    ["sk-ssh-ed25519@openssh.com AAAA", /not taken/],
    [ED25519.replace("ssh-ed25519", "ssh-rsa"), /damaged/],
    [ED25519.slice(0, 60), /damaged/],
    ["ssh-ed25519 /////w==", /damaged/],
    [rsa(1024), /1024/],
  ])("that cannot be used is refused with the reason: %.30s", (text, why) => {
    expect(() => readPublicKey(text)).toThrow(NotAKey);
    expect(() => readPublicKey(text)).toThrow(why);
  });
});
