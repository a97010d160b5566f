/** Who may do what: users belong to teams, keys belong to users. */
import type { Instant } from "@elastic/std/clock.ts";

export interface Team {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Instant;
}

export interface User {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Instant;
}

export type Role = "owner" | "member";

export interface Membership {
  readonly userId: string;
  readonly teamId: string;
  readonly role: Role;
  readonly createdAt: Instant;
}
