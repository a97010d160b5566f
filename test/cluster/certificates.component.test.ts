import { X509Certificate } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { expect, test } from "vitest";
import { foreignNodeCertificate, makeCertificates } from "./certificates.ts";
import { makeWorkFolder } from "./work-folder.ts";

const read = (file: string): X509Certificate => new X509Certificate(readFileSync(file));

test("a node's certificate names the node in its URI and is signed by the cluster's CA", () => {
  using folder = makeWorkFolder();
  const files = makeCertificates(folder.path).node("0123456789abcdef0123456789abcdef");
  const certificate = read(files.cert);
  expect(certificate.subjectAltName).toBe("URI:elastic://node/0123456789abcdef0123456789abcdef");
  expect(certificate.verify(read(files.ca).publicKey)).toBe(true);
  expect(certificate.ca).toBe(false);
});

test("the coordinator's certificate is good for the loopback address by number and by name", () => {
  using folder = makeWorkFolder();
  const certificate = read(makeCertificates(folder.path).coordinator().cert);
  expect(certificate.checkIP("127.0.0.1")).toBe("127.0.0.1");
  expect(certificate.checkHost("localhost")).toBe("localhost");
});

test("uses an existing CA again", () => {
  using folder = makeWorkFolder();
  const before = readFileSync(makeCertificates(folder.path).node("a").cert);
  expect(readFileSync(makeCertificates(folder.path).node("a").cert)).toEqual(before);
});

test("private keys are readable by their owner alone", () => {
  using folder = makeWorkFolder();
  const { key } = makeCertificates(folder.path).coordinator();
  expect(statSync(key).mode & 0o077).toBe(0);
});

test("a foreign certificate bears the node's name and another CA's signature", () => {
  using folder = makeWorkFolder();
  const own = makeCertificates(folder.path).node("a");
  const foreign = read(foreignNodeCertificate(folder.path, "a").cert);
  expect(foreign.subjectAltName).toBe("URI:elastic://node/a");
  expect(foreign.verify(read(own.ca).publicKey)).toBe(false);
});
