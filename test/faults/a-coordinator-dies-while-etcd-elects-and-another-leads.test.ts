import { expect, test } from "vitest";
import { startEtcdMembers } from "../scenario/etcd-members.ts";
import { startScenario } from "../scenario/scenario.ts";

/** An election of etcd of two seconds, and then a lease of four. */
const TAKE_OVER_MS_MAX = 15_000;

test("the leader of etcd and the leading coordinator are killed at once: no proof is repeated", async () => {
  await using etcd = await startEtcdMembers();
  await using run = await startScenario({ coordinators: 2, etcd });
  const { leader, others } = await run.roles();
  const [other] = others;
  const member = await etcd.leader();
  if (other === undefined) throw new Error("two coordinators were started");
  await run.fault(async () => {
    run.callersGoTo([other]);
    await Promise.all([member.kill(), leader.kill()]);
    await run.leads(other, TAKE_OVER_MS_MAX);
    expect(await etcd.leader()).not.toBe(member);
    await member.start();
    await leader.start();
  });
  run.callersGoTo(run.cluster.coordinators);
  const { attemptsMax, longestGapMs } = await run.verdict();
  expect(attemptsMax).toBe(1);
  expect(longestGapMs).toBeLessThan(TAKE_OVER_MS_MAX);
});
