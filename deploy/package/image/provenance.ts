/**
 * How an image was built, as a statement of in-toto (https://in-toto.io/Statement/v1) with the predicate of SLSA 1
 * (https://slsa.dev/spec/v1.0/provenance). Pure. It is not signed: whoever publishes the image attests it.
 */
import { CHANGED } from "@elastic/std/metrics/build-commit.ts";
import type { Component } from "../spdx.ts";
import type { DebianPackage } from "./debian-root.ts";

export interface Build {
  readonly program: string;
  readonly version: string;
  /** `sha256:…` of the image's manifest. */
  readonly manifestDigest: string;
  /** With `-changed` where the sources are not the commit's. */
  readonly commit: string | null;
  readonly created: Date;
  readonly node: string;
  /** SHA-256 of package-lock.json, which names each npm package with its digest. */
  readonly lockSha256: string;
  readonly suite: string;
  readonly debian: readonly DebianPackage[];
  /** Of the program. The npm packages among them are in package-lock.json. */
  readonly components: readonly Component[];
}

const BUILD_TYPE = "urn:elastic-proving-service:package-images:v1";
const BUILDER = "urn:elastic-proving-service:npm-run-package";

export function provenanceOf(build: Build): object {
  const { program, version, manifestDigest, commit, created, node, lockSha256, suite, debian, components } = build;
  return {
    _type: "https://in-toto.io/Statement/v1",
    subject: [{ name: `${program}:${version}`, digest: { sha256: manifestDigest.replace("sha256:", "") } }],
    predicateType: "https://slsa.dev/provenance/v1",
    predicate: {
      buildDefinition: {
        buildType: BUILD_TYPE,
        externalParameters: { program, version, sourceDateEpoch: created.getTime() / 1000 },
        internalParameters: { node, debianSuite: suite },
        resolvedDependencies: [
          ...(commit === null ? [] : [sourceOf(commit)]),
          { name: "package-lock.json", digest: { sha256: lockSha256 } },
          ...components.filter(isGoModule).map(({ purl, source }) => ({
            uri: purl,
            ...(source === undefined ? {} : { annotations: { source } }),
          })),
          ...debian.map((one) => ({ uri: debianPurl(one, suite), digest: { sha256: one.sha256 } })),
        ],
      },
      // No times of the build: the same sources give the same statement.
      runDetails: { builder: { id: BUILDER, version: { node } } },
    },
  };
}

/** And the standard library. A program names its package after a `#`. */
function isGoModule({ purl }: Component): boolean {
  return purl.startsWith("pkg:golang/") && !purl.includes("#");
}

/** Sources that are not the commit's do not have its digest. */
function sourceOf(commit: string) {
  if (!commit.endsWith(CHANGED)) return { name: "source", digest: { gitCommit: commit } };
  return { name: "source", uri: "urn:elastic-proving-service:changed-checkout", annotations: { commit } };
}

/** https://github.com/package-url/purl-spec */
export function debianPurl({ name, version, architecture }: DebianPackage, suite: string): string {
  const encoded = [name, version].map((part) => encodeURIComponent(part)).join("@");
  return `pkg:deb/debian/${encoded}?arch=${architecture}&distro=${suite}`;
}
