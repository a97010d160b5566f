/** Records of GitHub's API, with every member that its description requires. */
import type { GithubUser } from "./github-host.ts";

const API = "https://api.github.com";

export function githubUser({ id, login }: GithubUser): object {
  const url = `${API}/users/${login}`;
  return {
    login,
    id,
    node_id: `U_${id}`,
    avatar_url: "https://avatars.githubusercontent.com/u/1",
    gravatar_id: "",
    url,
    html_url: `https://github.com/${login}`,
    followers_url: `${url}/followers`,
    following_url: `${url}/following{/other_user}`,
    gists_url: `${url}/gists{/gist_id}`,
    starred_url: `${url}/starred{/owner}{/repo}`,
    subscriptions_url: `${url}/subscriptions`,
    organizations_url: `${url}/orgs`,
    repos_url: `${url}/repos`,
    events_url: `${url}/events{/privacy}`,
    received_events_url: `${url}/received_events`,
    type: "User",
    user_view_type: "public",
    site_admin: false,
    name: null,
    company: null,
    blog: "",
    location: null,
    email: null,
    hireable: null,
    bio: null,
    public_repos: 0,
    public_gists: 0,
    followers: 0,
    following: 0,
    created_at: "2020-01-01T00:00:00Z",
    updated_at: "2020-01-01T00:00:00Z",
  };
}

export function githubOrganisation(login: string): object {
  const url = `${API}/orgs/${login}`;
  return {
    login,
    id: 1,
    node_id: "O_1",
    url,
    repos_url: `${url}/repos`,
    events_url: `${url}/events`,
    hooks_url: `${url}/hooks`,
    issues_url: `${url}/issues`,
    members_url: `${url}/members{/member}`,
    public_members_url: `${url}/public_members{/member}`,
    avatar_url: "https://avatars.githubusercontent.com/u/1",
    description: null,
  };
}
