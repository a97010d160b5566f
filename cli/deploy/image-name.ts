/** What `--image` names: a builtin prover, an image in a registry, or one that only the local engine knows. */
import type { ServiceRecord } from "../api/records.ts";
import { usageError } from "../errors/cli-error.ts";

export type ImagePlace = "builtin" | "in a registry" | "local";

/** Of what engines take for a name; what is none would end up as something else in a path. */
const PLAIN = /^[A-Za-z0-9][A-Za-z0-9._/:@-]{0,510}$/;
/** A part of a repository's name (OCI distribution specification 1.1). */
const COMPONENT = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*$/;

/** Returns the name. */
export function checkImageName(text: string): string {
  if (PLAIN.test(text) && !text.includes("..")) return text;
  throw usageError(`${JSON.stringify(text)} is not the name of an image.`, "Name it as `docker images` shows it.");
}

/** As engines distinguish them: the first part of a registry has a dot or a port, or is `localhost`. */
export function imagePlace(name: string): ImagePlace {
  const text = checkImageName(name);
  if (text.startsWith("builtin:")) return "builtin";
  const slash = text.indexOf("/");
  const first = slash < 0 ? "" : text.slice(0, slash);
  return first === "localhost" || /[.:]/.test(first) ? "in a registry" : "local";
}

/** The tag that an image is named with, or null: after the last colon, where it is no port and no digest. */
export function tagIn(image: string): string | null {
  const last = image.slice(image.lastIndexOf("/") + 1);
  const colon = last.indexOf(":");
  return last.includes("@") || last.startsWith("sha256:") || colon < 0 ? null : last.slice(colon + 1);
}

/** The last part of the name under which a service's images are in the registry, which knows no capital letters. */
export function repositoryName({
  service_name: name,
  service_id: id,
}: Pick<ServiceRecord, "service_name" | "service_id">): string {
  return COMPONENT.test(name) ? name : id;
}
