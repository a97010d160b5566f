/** The endpoints of teams. */
import type { CallerDeps } from "../access/caller.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { teamEvents } from "../events/team-events.ts";
import type { QuotaDeps } from "../limits/quota-book.ts";
import type { StreamDeps } from "../sse/event-streams.ts";
import { changeMember } from "./change-member.ts";
import { changeTeam } from "./change-team.ts";
import { createTeam } from "./create-team.ts";
import { deleteTeam } from "./delete-team.ts";
import { getTeam } from "./get-team.ts";
import { listMembers } from "./list-members.ts";
import { listQuotas } from "./list-quotas.ts";
import { listTeams } from "./list-teams.ts";
import { removeMember } from "./remove-member.ts";

export function teamRoutes(app: App, deps: CallerDeps & RecordDeps & QuotaDeps & StreamDeps): void {
  listTeams(app, deps);
  createTeam(app, deps);
  getTeam(app, deps);
  deleteTeam(app, deps);
  changeTeam(app, deps);
  listQuotas(app, deps);
  listMembers(app, deps);
  changeMember(app, deps);
  removeMember(app, deps);
  teamEvents(app, deps);
}
