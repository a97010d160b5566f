/** A connection, a repository of it and a service's source, for tests. */
import type { ServiceSource, SourceConnection, SourceRepository } from "../sources-query.ts";

export const CONNECTION: SourceConnection = {
  connection_id: "c".repeat(32),
  team_id: "a".repeat(32),
  host: "github",
  account: "ada",
  user_id: "7".repeat(32),
  state: "active",
  repositories: 2,
  omitted_repositories: 0,
  services: [],
  created: "2026-11-24T10:00:00",
  linked: "2026-11-24T10:00:00",
};

export const REPOSITORY: SourceRepository = {
  repository_id: "1001",
  name: "ada/prover",
  default_branch: "trunk",
  private: true,
  fork: false,
};

export const SOURCE: ServiceSource = {
  service_id: "5".repeat(32),
  connection_id: CONNECTION.connection_id,
  host: "github",
  repository_id: REPOSITORY.repository_id,
  repository_name: REPOSITORY.name,
  branch: "main",
  deploy_on_push: false,
  base_dir: "provers/one",
  connected: true,
  user_id: CONNECTION.user_id,
  set: "2026-11-24T10:00:00",
};
