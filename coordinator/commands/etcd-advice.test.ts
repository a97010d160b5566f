import { expect, test } from "vitest";
import { etcdAdvice } from "./etcd-advice.ts";

const ENDPOINTS = ["https://a:2379", "https://b:2379"];

test.each([
  ["3 INVALID_ARGUMENT: etcdserver: authentication failed, invalid user ID or password", "ELASTIC_ETCD_PASSWORD_FILE"],
  ["7 PERMISSION_DENIED: etcdserver: permission denied", "ELASTIC_ETCD_USER"],
  ["etcdserver: authentication is not enabled", "leave out ELASTIC_ETCD_USER"],
  ["error:0A000418:SSL routines:ssl3_read_bytes:tlsv1 alert unknown ca:record/rec_layer_s3.c", "ELASTIC_ETCD_CERT"],
  ["error:0A00045C:SSL routines:ssl3_read_bytes:tlsv13 alert certificate required:rec_layer_s3.c", "ELASTIC_ETCD_CERT"],
  ["Last error: Error: certificate signature failure. Resolution note: ", "ELASTIC_ETCD_CA"],
  ["Error: unable to get local issuer certificate", "ELASTIC_ETCD_CA"],
  ["Error: self-signed certificate in certificate chain", "ELASTIC_ETCD_CA"],
  ["Hostname/IP does not match certificate's altnames: IP: 10.0.0.1", "ELASTIC_ETCD"],
  ["certificate has expired", "renew it"],
])("names what to do about %j in one sentence", (message, setting) => {
  const advice = etcdAdvice(message, ENDPOINTS);
  expect(advice).toContain(setting);
  expect(advice).toContain("(https://a:2379, https://b:2379): ");
});

test("names the scheme where etcd has TLS and its address has not, and the other way round", () => {
  expect(etcdAdvice("socket hang up", ["http://a:2379"])).toMatch(/without TLS \(http:\/\/a:2379\): .*https:\/\//);
  expect(etcdAdvice("socket hang up", ENDPOINTS)).toBeNull();
  expect(etcdAdvice("error:0A00010B:SSL routines:wrong version number", ENDPOINTS)).toContain("http://");
});

test("has no advice where etcd was not reached", () => {
  expect(etcdAdvice("14 UNAVAILABLE: connect ECONNREFUSED 127.0.0.1:1", ENDPOINTS)).toBeNull();
});
