/** Deployments as the commands print them; states are upper case here. */
import type { DeploymentRecord } from "../api/records.ts";
import { columns } from "./columns.ts";
import { type Field, fieldLines } from "./fields.ts";
import { gpusText } from "./gpu-text.ts";
import { sizeText } from "./size-text.ts";

/** The one that serves is marked. */
export function deploymentLines(deployments: readonly DeploymentRecord[]): string {
  return columns(
    ["", "DEPLOYMENT ID", "STATE", "STAGE", "TAG", "IMAGE", "CREATED"],
    deployments.map(({ deployment_id: id, state, stage, tag, image, created }) => [
      state === "Ready" ? "*" : "",
      id,
      state.toUpperCase(),
      stage,
      tag,
      shortImage(image),
      created,
    ]),
  );
}

/** `volumeName` where its data volume is known by one. */
export function deploymentText(deployment: DeploymentRecord, volumeName: string | null): string {
  const { resources, scaling, limits } = deployment;
  return fieldLines([
    ["deployment id", deployment.deployment_id],
    ["service name", deployment.service_name],
    ["state", deployment.state.toUpperCase()],
    ["stage", deployment.stage_note === null ? deployment.stage : `${deployment.stage} (${deployment.stage_note})`],
    ["stage since", deployment.stage_since],
    // Services of the version before do not say.
    ...(deployment.starting
      ? ([
          ["warning", deployment.starting.warning],
          ["log tail", deployment.starting.log_tail],
        ] as const)
      : []),
    ["created", deployment.created],
    ["image", deployment.image],
    ["image tag", deployment.tag],
    ["verifier image", deployment.verifier_image],
    ["data volume", volumeName === null ? deployment.volume_id : `${volumeName} (${deployment.volume_id})`],
    ["rollback of", deployment.rollback_of],
    ["environment", environmentText(deployment)],
    ["GPUs", gpusText(resources)],
    ["node labels", labelsText(deployment)],
    ["CPU", resources.cpu_millis / 1000],
    ["memory", sizeText(resources.memory_bytes).replace(".0 ", " ")],
    ["copies", `${scaling.min} to ${scaling.max}`],
    ["run timeout", `${limits.run_timeout_seconds} s`],
    ...failure(deployment),
  ]);
}

/** Its names; values are never shown. Services of the version before do not say. */
function environmentText({ has_env: hasEnv, env_names: names }: DeploymentRecord): string | null {
  if (!hasEnv) return null;
  return names ? `${names.join(", ")} (values are sealed)` : "sealed";
}

/** Services of the version before know no labels. */
function labelsText({ resources }: DeploymentRecord): string | null {
  const labels = Object.entries(resources.node_labels ?? {}).map(([key, value]) => `${key}=${value}`);
  return labels.length === 0 ? null : labels.join(", ");
}

function failure({ failure }: DeploymentRecord): Field[] {
  if (failure === null) return [];
  return [
    ["failed", `${failure.stage}: ${failure.reason}: ${failure.message}`],
    ["exit code", failure.exit_code],
    ["log tail", failure.log_tail],
  ];
}

/** A list shows the beginning of a digest. */
function shortImage(image: string): string {
  return image.replace(/(@sha256:[0-9a-f]{12})[0-9a-f]+$/, "$1");
}
