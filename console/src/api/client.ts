/**
 * Calls of the service's own HTTP interface, with the types of its OpenAPI document. The browser sends the
 * session's cookie. They are about the active team, but for those that name another.
 */
import type { paths } from "elastic-client/gen/schema.ts";
import createClient from "openapi-fetch";
import { activeTeam } from "../active-team/active-team.ts";

export const api = createClient<paths>({ baseUrl: window.location.origin });

api.use({
  onRequest({ request }) {
    const teamId = activeTeam();
    if (teamId !== null && !request.headers.has("x-team")) request.headers.set("x-team", teamId);
    return request;
  },
});
