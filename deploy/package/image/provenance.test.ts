import { expect, test } from "vitest";
import { provenanceOf } from "./provenance.ts";

const LIBC = { name: "libstdc++6", version: "12.2.0-14+deb12u1", architecture: "amd64", sha256: "cc" };
const BUILD = {
  program: "elastic-agent",
  version: "1.2.3",
  manifestDigest: "sha256:aa",
  commit: "abc",
  created: new Date(7_000),
  node: "24.1.0",
  lockSha256: "bb",
  suite: "bookworm",
  debian: [LIBC],
  components: [
    { name: "buildctl", version: "v1", license: null, purl: "pkg:golang/github.com/b/b@v1#cmd/b" },
    {
      name: "github.com/b/b",
      version: "v1",
      license: null,
      purl: "pkg:golang/github.com/b/b@v1",
      source: "go.sum: h1:a",
    },
    { name: "zod", version: "4.0.0", license: "MIT", purl: "pkg:npm/zod@4.0.0" },
  ],
};

test("states the image by its digest, and everything that it was made of", () => {
  expect(provenanceOf(BUILD)).toMatchObject({
    _type: "https://in-toto.io/Statement/v1",
    subject: [{ name: "elastic-agent:1.2.3", digest: { sha256: "aa" } }],
    predicateType: "https://slsa.dev/provenance/v1",
    predicate: {
      buildDefinition: {
        externalParameters: { sourceDateEpoch: 7 },
        resolvedDependencies: [
          { name: "source", digest: { gitCommit: "abc" } },
          { name: "package-lock.json", digest: { sha256: "bb" } },
          { uri: "pkg:golang/github.com/b/b@v1", annotations: { source: "go.sum: h1:a" } },
          {
            uri: "pkg:deb/debian/libstdc%2B%2B6@12.2.0-14%2Bdeb12u1?arch=amd64&distro=bookworm",
            digest: { sha256: "cc" },
          },
        ],
      },
    },
  });
});

test("states no digest of a commit for sources that are not the commit's, and which one they were changed from", () => {
  const statement = provenanceOf({ ...BUILD, commit: "abc-changed" });
  expect(JSON.stringify(statement)).not.toContain("gitCommit");
  expect(statement).toMatchObject({
    predicate: {
      buildDefinition: {
        resolvedDependencies: expect.arrayContaining([
          expect.objectContaining({ name: "source", annotations: { commit: "abc-changed" } }),
        ]),
      },
    },
  });
});

test("names no commit outside of a checkout", () => {
  expect(JSON.stringify(provenanceOf({ ...BUILD, commit: null }))).not.toContain("gitCommit");
});
