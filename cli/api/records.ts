/** The names that the commands use for the records of the HTTP interface. */
import type { components, operations } from "./gen/schema.ts";

type Schemas = components["schemas"];

export type TeamRecord = Schemas["Team"];
export type ServiceRecord = Schemas["Service"];
export type DeploymentRecord = Schemas["Deployment"];
export type RegistryRecord = Schemas["Registry"];
export type TaskRecord = Schemas["Task"];
export type NewService = operations["createService"]["requestBody"]["content"]["application/json"];
export type NewDeployment = operations["createDeployment"]["requestBody"]["content"]["application/json"];
export type TeamPage = operations["listTeams"]["responses"][200]["content"]["application/json"];
