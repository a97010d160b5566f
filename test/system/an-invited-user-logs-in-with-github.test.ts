/** From an invitation to the services, by an account of GitHub; the cookie opens nothing once the user has logged out. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startBrowser } from "../cluster/browser.ts";
import { startCluster } from "../cluster/cluster.ts";
import { makeWorkFolder } from "../cluster/work-folder.ts";
import { CLIENT } from "../login/code-grants.ts";
import { startGithubHost } from "../login/github-host.ts";

/** The members of the responses that are read here; each has some. */
type Members = Readonly<Record<"code" | "device_code" | "user_code" | "verification_uri" | "key", string>>;

test("an invited user logs in with GitHub, logs a program in, and logs out", async () => {
  await using github = await startGithubHost({ id: 7, login: "ada", organisations: [] });
  using folder = makeWorkFolder();
  const secretFile = join(folder.path, "github.secret");
  writeFileSync(secretFile, CLIENT.secret);
  await using cluster = await startCluster({
    agents: 0,
    coordinatorSettings: {
      ELASTIC_LOGIN_PROVIDERS: "github",
      ELASTIC_LOGIN_GITHUB_URL: github.url,
      ELASTIC_LOGIN_GITHUB_CLIENT_ID: CLIENT.id,
      ELASTIC_LOGIN_GITHUB_CLIENT_SECRET_FILE: secretFile,
    },
  });
  const url = cluster.coordinators[0]?.url ?? "";
  const { key, teamId } = cluster.firstKey;
  const post = async (path: string, body: object, headers: Record<string, string> = {}): Promise<Members> => {
    const sent = {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "content-type": "application/json", ...headers },
    };
    return (await (await fetch(`${url}/v1${path}`, sent)).json()) as Members;
  };

  await using browser = await startBrowser({ leadsTo: [github.url] });
  const page = await browser.open(`${url}/settings/sessions`);
  const click = (name: string) => page.getByRole("button", { name, exact: true }).click();
  const logIn = async () => {
    await page.getByRole("link", { name: "Continue with GitHub" }).click();
    await page.getByRole("link", { name: "Authorize" }).click();
  };
  await logIn();
  await page.getByRole("alert").getByText("Your account at GitHub is not known here.").waitFor();

  const { code } = await post(`/teams/${teamId}/invitations`, {}, { "x-api-key": key });
  await page.goto(`${url}/login?invitation=${code}`);
  await page.getByText("You are invited to a team.").waitFor();
  await logIn();
  await page.getByRole("heading", { level: 1, name: "Services" }).waitFor();
  await page.getByRole("link", { name: "Sessions" }).click();
  await page.getByText("GitHub", { exact: true }).waitFor();
  await page.getByText("ada", { exact: true }).waitFor();

  const login = await post("/device/code", { host_name: "laptop" });
  await page.goto(login.verification_uri);
  await page.getByRole("textbox", { name: "Code" }).fill(login.user_code.toLowerCase());
  await click("Continue");
  await page.getByText("laptop", { exact: true }).waitFor();
  await click("Log in");
  await page.getByRole("status").getByText("The program on laptop is logged in").waitFor();
  const { key: programsKey } = await post("/device/token", { device_code: login.device_code });
  const meWith = (headers: Record<string, string>) => fetch(`${url}/v1/me`, { headers });
  expect(await (await meWith({ "x-api-key": programsKey })).json()).toMatchObject({ name: "ada" });

  const [stolen] = (await page.context().cookies()).filter(({ name }) => name === "elastic_session");
  const cookie = `elastic_session=${stolen?.value}`;
  expect(stolen).toMatchObject({ httpOnly: true, sameSite: "Lax" });
  expect((await meWith({ cookie })).status).toBe(200);
  await click("Log out");
  await page.getByRole("link", { name: "Continue with GitHub" }).waitFor();
  expect((await meWith({ cookie })).status).toBe(401);
});
