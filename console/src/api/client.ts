/** Calls of the service's own HTTP interface, with the types of its OpenAPI document. The browser sends the session's cookie. */
import type { paths } from "elastic-cli/api/gen/schema.ts";
import createClient from "openapi-fetch";
import { activeTeam } from "../session/active-team.ts";

export const api = createClient<paths>({ baseUrl: window.location.origin });

api.use({
  onRequest({ request }) {
    const teamId = activeTeam();
    if (teamId !== null) request.headers.set("x-team", teamId);
    return request;
  },
});
