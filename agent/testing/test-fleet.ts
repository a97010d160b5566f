/** Scripted coordinators and agents that a test starts, with certificates of one authority; `end` is for afterEach. */
import { join } from "node:path";
import type { AgentConfig } from "../config/config.ts";
import type { Agent } from "../start/start-agent.ts";
import { type AgentProcess, spawnAgent } from "./agent-process.ts";
import { makeTestCa, type TestCa } from "./certificates.ts";
import { type CoordinatorScript, type ScriptedCoordinator, scriptCoordinator } from "./scripted-coordinator.ts";
import { startTestAgent, testConfig } from "./start-test-agent.ts";
import { temporaryFolder } from "./temporary-folder.ts";

export class TestFleet {
  #ca: TestCa | null = null;
  readonly #ends: (() => unknown)[] = [];

  get ca(): TestCa {
    this.#ca ??= makeTestCa(join(temporaryFolder(), "ca"));
    return this.#ca;
  }

  async coordinator(script: CoordinatorScript = {}): Promise<ScriptedCoordinator> {
    const coordinator = await scriptCoordinator(this.ca.server(), script);
    this.#ends.push(() => coordinator.kill());
    return coordinator;
  }

  /** In this process, on the node `n1`. */
  async agent(coordinators: readonly string[], more: Partial<AgentConfig> = {}): Promise<Agent> {
    const agent = await startTestAgent(testConfig(this.ca.node("n1"), coordinators, more));
    this.#ends.push(() => agent.stop());
    return agent;
  }

  agentProcess(env: Readonly<Record<string, string>>): AgentProcess {
    const agent = spawnAgent(env);
    this.#ends.push(() => agent.kill());
    return agent;
  }

  /** In reverse, so that an agent ends before its coordinators. */
  async end(): Promise<void> {
    for (const end of this.#ends.splice(0).reverse()) await end();
  }
}
