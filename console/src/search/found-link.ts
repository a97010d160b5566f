/** Where the page of what was found is. */
import { linkOptions } from "@tanstack/react-router";
import type { components } from "elastic-client/gen/schema.ts";

export type Found = components["schemas"]["Found"];

export function linkOf({ kind, id }: Found) {
  switch (kind) {
    case "service":
      return linkOptions({ to: "/services/$serviceId", params: { serviceId: id } });
    case "task":
      return linkOptions({ to: "/tasks/$taskId", params: { taskId: id } });
    case "shell":
      return linkOptions({ to: "/shells/$shellId", params: { shellId: id } });
    case "volume":
      return linkOptions({ to: "/volumes/$volumeId", params: { volumeId: id } });
    case "key":
      return linkOptions({ to: "/keys" });
  }
}
