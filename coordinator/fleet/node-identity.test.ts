import { expect, test } from "vitest";
import { readIdentity } from "./node-identity.ts";

const valid_to = "Jan  1 00:00:00 2030 GMT";

test("the node is named by the certificate's URI", () => {
  expect(readIdentity({ subjectaltname: "DNS:host, URI:elastic://node/rack-1.gpu_7", valid_to })).toEqual({
    nodeId: "rack-1.gpu_7",
    notAfter: Date.UTC(2030, 0, 1),
    enrollmentId: null,
    issuer: null,
  });
});

test("a certificate of the coordinators' own authority says which enrollment it is of", () => {
  const subjectaltname = "URI:elastic://node/gpu-7, URI:elastic://enrolment/one";
  const issuer = { CN: "elastic nodes 1" };
  expect(readIdentity({ subjectaltname, valid_to, issuer })).toEqual({
    nodeId: "gpu-7",
    notAfter: Date.UTC(2030, 0, 1),
    enrollmentId: "one",
    issuer: "elastic nodes 1",
  });
});

test.each([
  ["no alternative names", undefined],
  ["no URI", "DNS:node-a"],
  ["another scheme", "URI:https://node/node-a"],
  ["another kind of thing", "URI:elastic://coordinator/a"],
  ["two nodes", "URI:elastic://node/a, URI:elastic://node/b"],
  ["a name within a quoted name", 'DNS:"x, URI:elastic://node/a"'],
  ["an empty name", "URI:elastic://node/"],
  ["a path", "URI:elastic://node/a/../b"],
  ["a name that is too long", `URI:elastic://node/${"a".repeat(65)}`],
])("a certificate with %s names no node", (_, subjectaltname) => {
  expect(readIdentity({ subjectaltname, valid_to })).toBeNull();
});

test("a certificate without an end names no node", () => {
  expect(readIdentity({ subjectaltname: "URI:elastic://node/a", valid_to: "never" })).toBeNull();
});
