/** How much of each thing there may be at a time. What would be one more is refused until another is gone. */
export const QUOTAS = {
  openTasksPerTeam: 100_000,
  servicesPerTeam: 1_000,
  webhooksPerService: 10,
  sourceConnectionsPerTeam: 50,
  volumesPerTeam: 1_000,
  /** Queued or running. */
  openBuildsPerTeam: 50,
  /** Those that stop count too: their homes take room. */
  shellsPerTeam: 20,
  /** They expire after a day. */
  uploadsPerTeam: 10_000,
  membersPerTeam: 200,
  invitationsPerTeam: 100,
  teamsPerUser: 100,
  /** Keys that are neither revoked nor expired. */
  keysPerUser: 100,
} as const;

export type QuotaName = keyof typeof QUOTAS;
export type Quotas = Readonly<Record<QuotaName, number>>;

/** For a person: what is counted, and whose. */
export const QUOTA_WORDS: Readonly<Record<QuotaName, { readonly whose: string; readonly what: string }>> = {
  openTasksPerTeam: { whose: "The team", what: "open tasks" },
  servicesPerTeam: { whose: "The team", what: "services" },
  webhooksPerService: { whose: "The service", what: "webhooks" },
  sourceConnectionsPerTeam: { whose: "The team", what: "connections to source hosts" },
  volumesPerTeam: { whose: "The team", what: "volumes" },
  openBuildsPerTeam: { whose: "The team", what: "open builds" },
  shellsPerTeam: { whose: "The team", what: "shells" },
  uploadsPerTeam: { whose: "The team", what: "uploads" },
  membersPerTeam: { whose: "The team", what: "members" },
  invitationsPerTeam: { whose: "The team", what: "open invitations" },
  teamsPerUser: { whose: "The user", what: "teams" },
  keysPerUser: { whose: "The user", what: "access keys" },
};
