import { expect, test } from "vitest";
import { failed, running, succeeded } from "../../domain/build.ts";
import { aBuild, aDeployment, aShell, TEAM } from "../../domain/testing/records.ts";
import { imageReferences } from "./image-references.ts";

const HOST = "images.example";
const digest = (letter: string) => `sha256:${letter.repeat(64)}`;
const image = (name: string) => `${HOST}/${TEAM}/${name}`;
const NONE = { deployments: [], builds: [], shells: [] };

test("has the images of teams that are of provers, verifiers, builds and shells, also under an earlier host, and no others", () => {
  const run = running(aBuild({ repository: image("built") }), { assignmentId: "a", nodeId: "n" }, 0);
  const { names } = imageReferences(
    {
      deployments: [
        aDeployment({ serviceId: "s", image: image(`a@${digest("a")}`), verifierImage: image(`b@${digest("b")}`) }),
        aDeployment({ serviceId: "s", image: `elsewhere.example/x@${digest("c")}` }),
        aDeployment({ serviceId: "s", image: `earlier.example/${TEAM}/e@${digest("e")}` }),
        aDeployment({ serviceId: "s", image: "builtin:echo" }),
      ],
      builds: [succeeded(run, { digest: digest("d"), imageBytes: 1 }, 0), run],
      shells: [aShell({ image: image("home:v1") })],
    },
    [image("offered"), "elsewhere.example/shell:v1"],
  );
  expect([...names].sort()).toEqual(
    [
      `a@${digest("a")}`,
      `b@${digest("b")}`,
      `built@${digest("d")}`,
      `e@${digest("e")}`,
      "home:v1",
      "offered:latest",
    ].map((name) => `${TEAM}/${name}`),
  );
});

test("has the repositories of builds until they have ended", () => {
  const open = aBuild({ repository: image("open") });
  const ended = failed(aBuild({ repository: image("ended") }), { reason: "internal", message: "", line: null }, 0);
  const { beingPushed } = imageReferences({ ...NONE, builds: [open, ended] }, []);
  expect([...beingPushed]).toEqual([`${TEAM}/open`]);
});
