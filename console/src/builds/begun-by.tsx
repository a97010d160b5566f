/** What began a build: a push, or a member of the team. */
import { MemberName } from "../members/member-name.tsx";
import type { Build } from "./builds-query.ts";

export function BegunBy({
  of: { release, creator_id: userId },
}: {
  readonly of: Pick<Build, "release" | "creator_id">;
}) {
  return release?.trigger === "push" ? "a push" : <MemberName userId={userId} />;
}
