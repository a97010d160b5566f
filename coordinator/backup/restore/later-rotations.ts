/** What an operator does where the nodes' authority, or the master key, was rotated after a backup. Pure. */
import type { AuditEntry } from "../../domain/audit-entry.ts";

/** Kinds of the objects of their audit entries. */
const ROTATED = ["authority", "master_key"];

type Changed = Pick<AuditEntry, "object" | "before" | "after">;

export function isRotation({ object }: Changed): boolean {
  return ROTATED.includes(object.kind);
}

/** `rotations` are of after the backup, in their order. */
export function rotationWarnings(rotations: readonly Changed[]): readonly string[] {
  const ofKind = (kind: string) => rotations.filter(({ object }) => object.kind === kind);
  return [...authorityWarning(ofKind("authority")), ...keyWarning(ofKind("master_key"))];
}

function authorityWarning(steps: readonly Changed[]): readonly string[] {
  if (steps.length === 0) return [];
  const promoted = steps.filter(({ before, after }) => before !== null && typeof after?.issuing_root === "string");
  const retired = steps.flatMap(({ before, after }) =>
    typeof before?.earlier_root === "string" && after?.earlier_root === null ? [before.earlier_root] : [],
  );
  const again = "elastic-coordinator authority stage, promote, retire";
  const back = retired.length === 0 ? "" : `it trusts the retired root ${retired.join(", ")} again; `;
  if (promoted.length > 0) {
    const roots = promoted.map(({ after }) => after?.issuing_root).join(", ");
    return [
      `the node authority was rotated after the backup, which takes that back: ${back}it does not know root ${roots}, from which every ` +
        "machine that was up since has its certificate. Enroll those again that do not link (a token with --node), then rotate " +
        `again (${again})`,
    ];
  }
  if (retired.length > 0) {
    return [
      `a root of the node authority was retired after the backup, which takes that back: ${back}retire it again ` +
        "(elastic-coordinator authority retire). Machines keep their certificates",
    ];
  }
  return [
    `a root of the node authority was staged after the backup and is gone: stage one again (${again}). Machines keep their certificates`,
  ];
}

function keyWarning(steps: readonly Changed[]): readonly string[] {
  if (steps.length === 0) return [];
  return [
    "the master key was rotated after the backup, in which secrets are sealed with the earlier one: look at " +
      "elastic-coordinator secrets status, and rotate again (elastic-coordinator secrets rotate)",
  ];
}
