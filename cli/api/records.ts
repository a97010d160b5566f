/** The names that the commands use for the records of the HTTP interface. */
import type { components, operations } from "elastic-client/gen/schema.ts";

type Schemas = components["schemas"];

export type TeamRecord = Schemas["Team"];
export type MemberRecord = Schemas["Member"];
export type Role = MemberRecord["role"];
export type UsageRecord = Schemas["Usage"];
export type UsageDayRecord = Schemas["UsageDay"];
export type AuditEntryRecord = Schemas["AuditEntry"];
export type InvitationRecord = Schemas["Invitation"];
export type NewInvitationRecord = Schemas["NewInvitation"];
export type KeyRecord = Schemas["AccessKey"];
export type NewKeyRecord = Schemas["NewAccessKey"];
export type DeviceCodeRecord = Schemas["DeviceCode"];
export type ServiceRecord = Schemas["Service"];
export type DeploymentRecord = Schemas["Deployment"];
export type RegistryRecord = Schemas["Registry"];
export type TaskRecord = Schemas["Task"];
export type NewService = operations["createService"]["requestBody"]["content"]["application/json"];
export type NewKey = operations["createKey"]["requestBody"]["content"]["application/json"];
export type NewInvitation = operations["createInvitation"]["requestBody"]["content"]["application/json"];
export type NewDeployment = operations["createDeployment"]["requestBody"]["content"]["application/json"];

export type VolumeRecord = Schemas["Volume"];
export type NewVolume = operations["createVolume"]["requestBody"]["content"]["application/json"];

export type AuthorizedKeyRecord = Schemas["AuthorizedKey"];
export type GpuTypeRecord = Schemas["GpuType"];
export type FleetDemandRecord = Schemas["FleetDemand"];
export type PoolRecord = Schemas["Pool"];
export type PoolDetails = Schemas["PoolDetails"];
export type PoolWithSecret = Schemas["PoolWithSecret"];
export type NewPoolToken = Schemas["NewPoolToken"];
export type NodeRecord = Schemas["Node"];
export type NodeDetails = Schemas["NodeDetails"];
export type NodeState = NodeRecord["state"];
export type NodeFilter = Pick<
  NonNullable<operations["listNodes"]["parameters"]["query"]>,
  "state" | "label" | "gpu_type"
>;
export type ShellRecord = Schemas["Shell"];
export type ShellWithPassword = Schemas["ShellWithPassword"];
export type SshTicket = Schemas["SshTicket"];
export type NewShell = operations["createShell"]["requestBody"]["content"]["application/json"];

export type WebhookRecord = Schemas["Webhook"];
export type WebhookWithSecret = Schemas["WebhookWithSecret"];
export type DeliveryRecord = Schemas["Delivery"];
export type DeliveryWithRequest = Schemas["DeliveryWithRequest"];
export type DeliveryState = DeliveryRecord["state"];
export type NewWebhook = operations["createWebhook"]["requestBody"]["content"]["application/json"];
export type WebhookChange = NonNullable<operations["changeWebhook"]["requestBody"]>["content"]["application/json"];
export type WebhookPage = operations["listWebhooks"]["responses"][200]["content"]["application/json"];
export type DeliveryPage = operations["listDeliveries"]["responses"][200]["content"]["application/json"];
export type UploadRecord = Schemas["Upload"];
export type CancelledTasks = Schemas["CancelledTasks"];
export type TaskPage = operations["listTasks"]["responses"][200]["content"]["application/json"];

export type FoundPage = operations["search"]["responses"][200]["content"]["application/json"];

export type BuildRecord = Schemas["Build"];
export type NewBuild = operations["createBuild"]["requestBody"]["content"]["application/json"];
