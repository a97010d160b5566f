import { test } from "vitest";
import { cutLeaderOffFromEtcd } from "../scenario/leader-without-etcd.ts";

test("etcd receives nothing of it, and it still receives: it responds with 503, and another leads", async () => {
  await cutLeaderOffFromEtcd("drop-requests");
});
