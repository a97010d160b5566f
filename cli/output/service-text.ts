/** A service as the commands print it; its state is upper case here. */
import type { ServiceRecord } from "../api/records.ts";
import { columns } from "./columns.ts";
import { fieldLines } from "./fields.ts";

export function serviceText(service: ServiceRecord): string {
  return fieldLines([
    ["service id", service.service_id],
    ["service name", service.service_name],
    ["team name", service.team_name],
    ["state", service.state.toUpperCase()],
    ["created", service.created],
    ["service url", service.service_url],
    ["image tag", service.image_tag],
    // Services of the version before do not say.
    ...(service.waiting ? [["waiting", `${service.waiting.reason}: ${service.waiting.message}`] as const] : []),
  ]);
}

/** A list; that of the directory is marked. */
export function serviceLines(services: readonly ServiceRecord[], linkedId: string | null): string {
  return columns(
    ["", "SERVICE NAME", "SERVICE ID", "STATE", "IMAGE TAG", "CREATED"],
    services.map(({ service_id: id, service_name: name, state, image_tag: tag, created }) => [
      id === linkedId ? "*" : "",
      name,
      id,
      state.toUpperCase(),
      tag,
      created,
    ]),
  );
}
