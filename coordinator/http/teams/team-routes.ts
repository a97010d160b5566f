/** The endpoints of teams. */

import { teamEvents } from "../events/team-events.ts";
import type { App } from "../fastify-app.ts";
import type { HttpDeps } from "../http-deps.ts";
import { changeMember } from "./change-member.ts";
import { changeTeam } from "./change-team.ts";
import { createTeam } from "./create-team.ts";
import { getTeam } from "./get-team.ts";
import { listMembers } from "./list-members.ts";
import { listQuotas } from "./list-quotas.ts";
import { listTeams } from "./list-teams.ts";
import { removeMember } from "./remove-member.ts";

export function teamRoutes(app: App, deps: HttpDeps): void {
  listTeams(app, deps);
  createTeam(app, deps);
  getTeam(app, deps);
  changeTeam(app, deps);
  listQuotas(app, deps);
  listMembers(app, deps);
  changeMember(app, deps);
  removeMember(app, deps);
  teamEvents(app, deps);
}
