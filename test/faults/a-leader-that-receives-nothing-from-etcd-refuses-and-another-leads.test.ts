import { test } from "vitest";
import { cutLeaderOffFromEtcd } from "../scenario/leader-without-etcd.ts";

test("what it commits is done without its knowing: it responds with 503, and another leads", async () => {
  await cutLeaderOffFromEtcd("drop-responses");
});
