/** A deployment as it is written in the form: begun empty or from an earlier one, and ended as a request. Pure. */
import type { components, paths } from "elastic-client/gen/schema.ts";
import { NUMBER_NAMES, type NumberName, numberField, numberOf } from "./number-fields.ts";

type Deployment = components["schemas"]["Deployment"];
export type DeploymentRequest = NonNullable<
  paths["/v1/services/{id}/deployments"]["post"]["requestBody"]
>["content"]["application/json"];

export interface EnvVariable {
  readonly name: string;
  /** Empty for one of the earlier deployment whose value stays. */
  readonly value: string;
  /** Whether the earlier deployment has it, whose values nobody can read. */
  readonly isEarlier: boolean;
}

export interface DeploymentDraft {
  readonly image: string;
  /** Empty for the image's own. */
  readonly tag: string;
  /** Empty for none. */
  readonly verifierImage: string;
  readonly volumeId: string | null;
  /** Empty for any. */
  readonly gpuModel: string;
  readonly gpuMigProfile: string;
  /** `name=value`, separated by commas or spaces. */
  readonly nodeLabels: string;
  /** Left out where the service's default is taken. */
  readonly numbers: Readonly<Partial<Record<NumberName, number>>>;
  readonly env: readonly EnvVariable[];
  /** The deployment whose environment is changed; null where the environment is new. */
  readonly earlier: { readonly id: string; readonly envNames: readonly string[] } | null;
}

export const EMPTY_DRAFT: DeploymentDraft = {
  image: "",
  tag: "",
  verifierImage: "",
  volumeId: null,
  gpuModel: "",
  gpuMigProfile: "",
  nodeLabels: "",
  numbers: {},
  env: [],
  earlier: null,
};

export function draftOf(deployment: Deployment): DeploymentDraft {
  const { resources, env_names: envNames } = deployment;
  return {
    image: deployment.image,
    tag: deployment.tag,
    verifierImage: deployment.verifier_image ?? "",
    volumeId: deployment.volume_id,
    gpuModel: resources.gpu_model ?? "",
    gpuMigProfile: resources.gpu_mig_profile ?? "",
    nodeLabels: Object.entries(resources.node_labels)
      .map((label) => label.join("="))
      .join(", "),
    numbers: Object.fromEntries(NUMBER_NAMES.map((name) => [name, numberOf(deployment, name)])),
    env: (envNames ?? []).map((name) => ({ name, value: "", isEarlier: true })),
    earlier: envNames === null ? null : { id: deployment.deployment_id, envNames },
  };
}

/** What a builtin prover is never given is left out for it. */
export function requestOf(draft: DeploymentDraft): DeploymentRequest {
  const { image, tag, verifierImage, volumeId } = draft;
  return {
    image: image.trim(),
    ...(tag.trim() === "" ? {} : { tag: tag.trim() }),
    ...(verifierImage.trim() === "" ? {} : { verifier_image: verifierImage.trim() }),
    ...(isBuiltin(draft) ? {} : { ...(volumeId === null ? {} : { volume_id: volumeId }), ...envOf(draft) }),
    ...groupsOf(draft),
  };
}

export function isBuiltin({ image }: Pick<DeploymentDraft, "image">): boolean {
  return image.trim().startsWith("builtin:");
}

function envOf({ env, earlier }: DeploymentDraft): Pick<DeploymentRequest, "env" | "env_deployment_id"> {
  const removed = (earlier?.envNames ?? []).filter((name) => !env.some((one) => one.name === name));
  const changed = env.filter(({ value, isEarlier }) => !isEarlier || value !== "");
  return {
    env: Object.fromEntries([
      ...removed.map((name) => [name, null]),
      ...changed.map(({ name, value }) => [name.trim(), value]),
    ]),
    ...(earlier === null ? {} : { env_deployment_id: earlier.id }),
  };
}

function groupsOf({ numbers, gpuModel, gpuMigProfile, nodeLabels }: DeploymentDraft) {
  const groups: Record<string, Record<string, unknown>> = { resources: {}, scaling: {}, limits: {} };
  for (const name of NUMBER_NAMES) {
    const { group, member, unit } = numberField(name);
    const written = numbers[name];
    if (written !== undefined) groups[group] = { ...groups[group], [member]: Math.round(written * unit) };
  }
  const resources = {
    ...groups.resources,
    ...(gpuModel.trim() === "" ? {} : { gpu_model: gpuModel.trim() }),
    ...(gpuMigProfile.trim() === "" ? {} : { gpu_mig_profile: gpuMigProfile.trim() }),
    node_labels: labelsOf(nodeLabels),
  };
  return { ...groups, resources } as Pick<DeploymentRequest, "resources" | "scaling" | "limits">;
}

/** A label without `=` has an empty value. */
function labelsOf(text: string): Record<string, string> {
  const labels = text.split(/[\s,]+/).filter((label) => label !== "");
  return Object.fromEntries(
    labels.map((label) => {
      const at = label.indexOf("=");
      return at < 0 ? [label, ""] : [label.slice(0, at), label.slice(at + 1)];
    }),
  );
}
