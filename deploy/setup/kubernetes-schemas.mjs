/**
 * Copies the strict schemas of the oldest and the newest Kubernetes that the charts are for, such that kubeconform finds what
 * they refer to in the folder: in the package they refer to an address. Plain JavaScript for an old Node.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const RELEASES = ["v1.29.0", "v1.37.0"];
const [, , from, to] = process.argv;

for (const release of RELEASES) {
  const folder = join(from, "kubernetes_validate", "kubernetes-json-schema", `${release}-local-strict`);
  mkdirSync(join(to, release), { recursive: true });
  for (const file of readdirSync(folder)) {
    const text = readFileSync(join(folder, file), "utf8").replaceAll('"/api/_definitions.json#', '"_definitions.json#');
    const { $id, ...schema } = JSON.parse(text);
    writeFileSync(join(to, release, file), JSON.stringify(schema));
  }
}
