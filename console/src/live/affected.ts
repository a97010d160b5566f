/** Which of the console's queries a change of the team makes outdated. A query's key says what it has read. */
import type { components } from "elastic-client/gen/schema.ts";

export type Change = components["schemas"]["TeamChanges"]["changes"][number];
type Key = readonly unknown[];

export function isAffected(key: Key, { kind, id, service_id: serviceId }: Change): boolean {
  const [of, which, part] = key;
  // What people change; tasks and what they bring along come and go by hundreds.
  if (of === "audit" || of === "quotas") return kind !== "task" && kind !== "delivery";
  switch (kind) {
    case "task":
      return of === "tasks" && (which === undefined || which === "list" || isOne(which, id));
    case "service":
      return of === "services" && part === undefined && (which === undefined || isOne(which, id));
    case "deployment":
      if (of !== "services" || !(which === undefined || isOne(which, serviceId))) return false;
      return part === undefined || part === "deployments";
    case "build":
      if (of === "builds") return isOne(which, id);
      return of === "services" && isOne(which, serviceId) && part === "builds";
    case "source":
      return of === "services" && isOne(which, serviceId) && part === "source";
    case "source_connection":
      // A source says whether its connection stands.
      if (of === "services") return part === "source";
      return of === "connections" && (which === undefined || isOne(which, id));
    case "webhook":
      return of === "services" && isOne(which, serviceId) && part === "webhooks";
    case "delivery":
      return of === "webhooks" || (of === "deliveries" && isOne(which, id));
    case "volume":
      return of === "volumes";
    case "shell":
      return of === "shells" && (which === undefined || isOne(which, id));
    case "key":
      return of === "keys";
    case "session":
      return of === "sessions";
    case "team":
      return of === "me" || of === "teams";
    case "member":
      return of === "members" || of === "me";
    case "invitation":
      return of === "invitations";
  }
}

/** Null stands for any. */
function isOne(which: unknown, id: string | null): boolean {
  return id === null || which === id;
}
