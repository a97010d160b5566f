import { expect, test } from "vitest";
import { pickTeam } from "./find-team.ts";

const TEAMS = [
  { team_id: "aa", name: "research" },
  { team_id: "bb", name: "aa" },
  { team_id: "cc", name: "twin" },
  { team_id: "dd", name: "twin" },
];

test("a team is picked by its id before its name", () => {
  expect(pickTeam(TEAMS, "research").team_id).toBe("aa");
  expect(pickTeam(TEAMS, "aa").name).toBe("research");
});

test("a team is picked by the beginning of its id, after every name", () => {
  const long = { team_id: "0193a0b0c0d0e0f00193a0b0c0d0e0f0", name: "studio" };
  expect(pickTeam([...TEAMS, long], "0193a0b0")).toBe(long);
  const named = { team_id: "ee", name: "0193a0b0" };
  expect(pickTeam([long, named], "0193a0b0")).toBe(named);
});

test("a name that is unknown or shared picks none and names the choices", () => {
  expect(() => pickTeam(TEAMS, "nobody")).toThrow("in no team named nobody");
  expect(() => pickTeam(TEAMS, "twin")).toThrow("Several teams are named twin");
});
