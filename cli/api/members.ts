import type { Caller } from "./caller.ts";
import { call } from "./client.ts";
import { listAll } from "./pages.ts";
import type {
  InvitationRecord,
  MemberRecord,
  NewInvitation,
  NewInvitationRecord,
  Role,
  TeamRecord,
} from "./records.ts";

export function listMembers(caller: Caller, teamId: string): Promise<readonly MemberRecord[]> {
  return listAll(caller, `/v1/teams/${encodeURIComponent(teamId)}/members`);
}

export async function changeMember(
  caller: Caller,
  { teamId, userId, role }: { readonly teamId: string; readonly userId: string; readonly role: Role },
): Promise<MemberRecord> {
  const path = `/v1/teams/${encodeURIComponent(teamId)}/members/${encodeURIComponent(userId)}`;
  return (await call(caller, { method: "PATCH", path, body: JSON.stringify({ role }) })) as MemberRecord;
}

export async function removeMember(caller: Caller, teamId: string, userId: string): Promise<void> {
  const path = `/v1/teams/${encodeURIComponent(teamId)}/members/${encodeURIComponent(userId)}`;
  await call(caller, { method: "DELETE", path });
}

export async function invite(caller: Caller, teamId: string, invitation: NewInvitation): Promise<NewInvitationRecord> {
  const path = `/v1/teams/${encodeURIComponent(teamId)}/invitations`;
  return (await call(caller, { method: "POST", path, body: JSON.stringify(invitation) })) as NewInvitationRecord;
}

export function listInvitations(caller: Caller, teamId: string): Promise<readonly InvitationRecord[]> {
  return listAll(caller, `/v1/teams/${encodeURIComponent(teamId)}/invitations`);
}

export async function revokeInvitation(caller: Caller, invitationId: string): Promise<void> {
  await call(caller, { method: "DELETE", path: `/v1/invitations/${encodeURIComponent(invitationId)}` });
}

export async function acceptInvitation(caller: Caller, code: string): Promise<TeamRecord> {
  const body = JSON.stringify({ code });
  return (await call(caller, { method: "POST", path: "/v1/invitations/accept", body })) as TeamRecord;
}
