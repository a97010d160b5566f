/** A service as the commands print it; its state is upper case here. */
import type { ServiceRecord } from "../api/records.ts";
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
  ]);
}
