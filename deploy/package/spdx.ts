/** The software bill of materials of a package as SPDX 2.3 (https://spdx.github.io/spdx-spec/v2.3/), in JSON: pure. */
export interface Component {
  readonly name: string;
  readonly version: string;
  readonly license: string | null;
  /** https://github.com/package-url/purl-spec */
  readonly purl: string;
  /** Of its file, or of the archive that it was installed from. */
  readonly checksum?: Checksum;
  /** What else states where it is from. */
  readonly source?: string;
}

export interface Checksum {
  readonly algorithm: "SHA256" | "SHA512";
  /** In hexadecimal digits. */
  readonly value: string;
}

export interface BillOfMaterials {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  /** SHA-256 of the package's contents, which makes the document's name unique. */
  readonly sha256: string;
  /** When the sources were committed. */
  readonly created: Date;
  readonly components: readonly Component[];
}

const ROOT = "SPDXRef-Package";

export function spdxDocument({ name, version, license, sha256, created, components }: BillOfMaterials): object {
  const packages = components.map((component, index) => ({
    ...packageOf(`SPDXRef-Component-${index + 1}`, component.name, component.version, component.license),
    ...(component.checksum === undefined ? {} : { checksums: [checksumOf(component.checksum)] }),
    ...(component.source === undefined ? {} : { sourceInfo: component.source }),
    externalRefs: [{ referenceCategory: "PACKAGE-MANAGER", referenceType: "purl", referenceLocator: component.purl }],
  }));
  return {
    spdxVersion: "SPDX-2.3",
    dataLicense: "CC0-1.0",
    SPDXID: "SPDXRef-DOCUMENT",
    name: `${name}-${version}`,
    documentNamespace: `https://spdx.org/spdxdocs/${name}-${version}-${sha256}`,
    creationInfo: { created: `${created.toISOString().slice(0, 19)}Z`, creators: ["Tool: elastic-package"] },
    packages: [packageOf(ROOT, name, version, license), ...packages],
    relationships: [
      { spdxElementId: "SPDXRef-DOCUMENT", relationshipType: "DESCRIBES", relatedSpdxElement: ROOT },
      ...packages.map(({ SPDXID }) => ({
        spdxElementId: ROOT,
        relationshipType: "CONTAINS",
        relatedSpdxElement: SPDXID,
      })),
    ],
  };
}

export function sha256Checksum(value: string): Checksum {
  return { algorithm: "SHA256", value };
}

function checksumOf({ algorithm, value }: Checksum) {
  return { algorithm, checksumValue: value };
}

function packageOf(id: string, name: string, version: string, license: string | null) {
  return {
    SPDXID: id,
    name,
    versionInfo: version,
    downloadLocation: "NOASSERTION",
    filesAnalyzed: false,
    licenseConcluded: "NOASSERTION",
    licenseDeclared: license ?? "NOASSERTION",
    copyrightText: "NOASSERTION",
  };
}
