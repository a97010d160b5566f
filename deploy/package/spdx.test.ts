import { expect, test } from "vitest";
import { spdxDocument } from "./spdx.ts";

const BILL = {
  name: "elastic-agent",
  version: "1.2.3",
  license: "MIT OR Apache-2.0",
  sha256: "a".repeat(64),
  created: new Date("2026-01-02T03:04:05.678Z"),
  components: [
    { name: "@grpc/grpc-js", version: "1.14.7", license: "Apache-2.0", purl: "pkg:npm/%40grpc/grpc-js@1.14.7" },
    { name: "odd", version: "1.0.0", license: null, purl: "pkg:npm/odd@1.0.0" },
  ],
};

interface Document {
  readonly creationInfo: { readonly created: string };
  readonly packages: readonly { readonly SPDXID: string; readonly name: string; readonly licenseDeclared: string }[];
  readonly relationships: readonly {
    readonly spdxElementId: string;
    readonly relationshipType: string;
    readonly relatedSpdxElement: string;
  }[];
}

test("describes the package, and contains each component by an id of the form that SPDX prescribes", () => {
  const { packages, relationships, creationInfo } = spdxDocument(BILL) as Document;
  expect(packages.map(({ name }) => name)).toEqual(["elastic-agent", "@grpc/grpc-js", "odd"]);
  for (const { SPDXID } of packages) expect(SPDXID).toMatch(/^SPDXRef-[A-Za-z0-9.-]+$/);
  expect(new Set(packages.map(({ SPDXID }) => SPDXID)).size).toBe(3);
  const [root, ...components] = packages.map(({ SPDXID }) => SPDXID);
  const relation = (spdxElementId: string, relationshipType: string, relatedSpdxElement = "") => ({
    spdxElementId,
    relationshipType,
    relatedSpdxElement,
  });
  expect(relationships).toEqual([
    relation("SPDXRef-DOCUMENT", "DESCRIBES", root),
    ...components.map((id) => relation(root ?? "", "CONTAINS", id)),
  ]);
  expect(creationInfo.created).toBe("2026-01-02T03:04:05Z");
});

test("states the digest of a component, and where else it is from, where they are known", () => {
  const checksum = { algorithm: "SHA256", value: "ab" } as const;
  const known = {
    name: "buildctl",
    version: "v1",
    license: null,
    purl: "pkg:golang/b@v1",
    checksum,
    source: "go.sum: h1:a",
  };
  const { packages } = spdxDocument({ ...BILL, components: [known, ...BILL.components] }) as Document;
  expect(packages[1]).toMatchObject({
    checksums: [{ algorithm: "SHA256", checksumValue: "ab" }],
    sourceInfo: "go.sum: h1:a",
  });
  expect(packages[2]).not.toHaveProperty("checksums");
});

test("asserts no license where a component states none", () => {
  const { packages } = spdxDocument(BILL) as Document;
  expect(packages.map(({ licenseDeclared }) => licenseDeclared)).toEqual([
    "MIT OR Apache-2.0",
    "Apache-2.0",
    "NOASSERTION",
  ]);
});
