/** The webhook of a project: one for this service, however many teams build from the project. */
import { z } from "zod";
import { expectBody, type HostApi, messageOf } from "../host-api.ts";
import { idSchema } from "../host-records.ts";
import { SourceHostError } from "../source-host-error.ts";
import { hooksSchema } from "./gitlab-records.ts";
import { authorized } from "./read-projects.ts";
import { webhookToken } from "./webhook-token.ts";

/** By the user's token: it takes the role Maintainer, as an access token of the project does. */
export async function setWebhook(
  api: HostApi,
  token: string,
  projectId: string,
  { url, secret }: { readonly url: string; readonly secret: string },
): Promise<void> {
  const hooks = `/projects/${projectId}/hooks`;
  const listed = authorized(await api.send({ method: "GET", path: `${hooks}?per_page=100`, token }));
  const known = expectBody(listed, 200, hooksSchema).find((hook) => hook.url === url);
  const body = {
    url,
    token: webhookToken(secret, projectId),
    push_events: true,
    tag_push_events: false,
    merge_requests_events: false,
    enable_ssl_verification: true,
  };
  const set =
    known === undefined
      ? await api.send({ method: "POST", path: hooks, token, body })
      : await api.send({ method: "PUT", path: `${hooks}/${known.id}`, token, body });
  if (set.status === 400 || set.status === 422) {
    throw new SourceHostError("webhook_refused", new Error(messageOf(set.body)));
  }
  expectBody(set, known === undefined ? 201 : 200, z.object({ id: idSchema }));
}
