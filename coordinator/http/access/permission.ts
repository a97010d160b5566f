/**
 * What each operation takes in the team that it acts in. One that changes something and is not in this table takes an
 * owner, so that forgetting it opens nothing.
 */
import type { FastifyRequest } from "fastify";
import type { Permission } from "../../domain/role.ts";
import { operationIdOf } from "../endpoint/operation-id.ts";

/** Null: of no team, such as the caller's own sessions, or the fleet, which scopes alone open. */
export const PERMISSION_OF_OPERATION: Readonly<Record<string, Permission | null>> = {
  createTask: "tasks",
  createBatch: "tasks",
  cancelTask: "tasks",
  cancelTasks: "tasks",
  createUpload: "tasks",
  createService: "services",
  changeService: "services",
  deleteService: "services",
  createDeployment: "services",
  rollBack: "services",
  createBuild: "services",
  cancelBuild: "services",
  retryBuild: "services",
  createVolume: "services",
  deleteVolume: "services",
  putVolumeFile: "services",
  createWebhook: "services",
  changeWebhook: "services",
  deleteWebhook: "services",
  rotateWebhookSecret: "services",
  testWebhook: "services",
  redeliver: "services",
  startSourceLink: "services",
  deleteSourceConnection: "services",
  createSourceRepository: "services",
  putServiceSource: "services",
  deleteServiceSource: "services",
  createShell: "shells",
  startShell: "shells",
  stopShell: "shells",
  deleteShell: "shells",
  createTerminalTicket: "shells",
  createSshTicket: "shells",
  openTerminal: "shells",
  createKey: "keys",
  decideDeviceLogin: "keys",
  createInvitation: "members",
  listInvitations: "members",
  revokeInvitation: "members",
  changeMember: "members",
  listAudit: "members",
  // Whoever leaves needs none.
  removeMember: "members",
  changeTeam: "team",
  deleteTeam: "owners",
  createTeam: null,
  // What ends the caller's own access is open to every role.
  revokeKey: null,
  deleteMe: null,
  acceptInvitation: null,
  linkAccount: null,
  unlinkAccount: null,
  createDeviceCode: null,
  redeemDeviceCode: null,
  addAuthorizedKey: null,
  removeAuthorizedKey: null,
  // The host's signature opens it.
  receiveSourceEvent: null,
  createSession: null,
  endSession: null,
  endSessions: null,
  createJoinToken: null,
  revokeJoinToken: null,
  putPool: null,
  deletePool: null,
  resumePool: null,
  createPoolToken: null,
  revokePoolToken: null,
  drainNode: null,
  resumeNode: null,
  evictNode: null,
  resumeRequeue: null,
  createOperatedUser: null,
  createLoginLink: null,
  lockOutUser: null,
};

export function permissionOf(request: Pick<FastifyRequest, "method" | "routeOptions">): Permission | null {
  return permissionOfOperation(request.method, operationIdOf(request));
}

/** `read` for what changes nothing. */
export function permissionOfOperation(method: string, operationId: string): Permission | null {
  const listed = PERMISSION_OF_OPERATION[operationId];
  if (listed !== undefined) return listed;
  return method === "GET" || method === "HEAD" ? "read" : "owners";
}
