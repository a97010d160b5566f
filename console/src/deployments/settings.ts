/** The settings of a deployment, and in which two deployments differ, in the words of their form. Pure. */
import type { components } from "elastic-client/gen/schema.ts";
import { NUMBER_NAMES, numberField, numberOf } from "./number-fields.ts";

type Deployment = components["schemas"]["Deployment"];

export interface Difference {
  readonly field: string;
  readonly before: string;
  readonly after: string;
}

type Reading = readonly [field: string, read: (deployment: Deployment) => string];

const NONE = "none";

const READINGS: readonly Reading[] = [
  ["Image", ({ image }) => image],
  ["Tag", ({ tag }) => tag],
  ["Verifier image", ({ verifier_image }) => verifier_image ?? NONE],
  ["Data volume", ({ volume_id }) => volume_id ?? NONE],
  ["GPU model", ({ resources }) => resources.gpu_model ?? "any"],
  ["MIG profile", ({ resources }) => resources.gpu_mig_profile ?? "any"],
  ["Labels of the machine", ({ resources }) => labelsText(resources.node_labels)],
  ...NUMBER_NAMES.map((name): Reading => [numberField(name).label, (deployment) => String(numberOf(deployment, name))]),
  ["Environment variables", ({ env_names }) => env_names?.join(", ") || NONE],
];

export interface Setting {
  readonly field: string;
  readonly value: string;
}

/** All settings, in the order of the form. */
export function settingsOf(deployment: Deployment): readonly Setting[] {
  return READINGS.map(([field, read]) => ({ field, value: read(deployment) }));
}

/** Values of environments are secret, so only their names are compared. */
export function differencesOf(before: Deployment, after: Deployment): readonly Difference[] {
  return READINGS.map(([field, read]) => ({ field, before: read(before), after: read(after) })).filter(
    (one) => one.before !== one.after,
  );
}

function labelsText(labels: Readonly<Record<string, string>>): string {
  const texts = Object.entries(labels).map((label) => label.join("="));
  return texts.sort().join(", ") || NONE;
}
