/** The settings of a coordinator that has the stand-in as a source host. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { GITLAB_CLIENT, GITLAB_WEBHOOK_SECRET } from "./gitlab-server.ts";

/** Variables of the environment, with files in the folder. */
export function gitlabSettings(name: string, url: string, folder: string): Readonly<Record<string, string>> {
  const prefix = `ELASTIC_SOURCE_${name.toUpperCase().replaceAll("-", "_")}_`;
  const write = (file: string, text: string): string => {
    const path = join(folder, file);
    writeFileSync(path, `${text}\n`, { mode: 0o600 });
    return path;
  };
  return {
    ELASTIC_SOURCE_HOSTS: name,
    [`${prefix}KIND`]: "gitlab",
    [`${prefix}URL`]: url,
    [`${prefix}CLIENT_ID`]: GITLAB_CLIENT.id,
    [`${prefix}CLIENT_SECRET_FILE`]: write("gitlab.secret", GITLAB_CLIENT.secret),
    [`${prefix}WEBHOOK_SECRET_FILE`]: write("gitlab.webhook", GITLAB_WEBHOOK_SECRET),
  };
}
