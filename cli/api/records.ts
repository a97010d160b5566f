/** The records of the HTTP interface that the commands read. */

export interface TeamRecord {
  readonly team_id: string;
  readonly name: string;
}

export interface ServiceRecord {
  readonly service_id: string;
  readonly service_name: string;
  readonly team_id: string;
  readonly team_name: string;
  readonly state: string;
  readonly created: string;
  readonly service_url: string;
  readonly image_tag: string | null;
  readonly failure: { readonly reason: string; readonly message: string } | null;
}

export interface DeploymentRecord {
  readonly deployment_id: string;
  readonly service_id: string;
  readonly state: string;
  readonly image: string;
  readonly tag: string;
  readonly failure: { readonly reason: string; readonly message: string } | null;
}

export interface TaskRecord {
  readonly task_id: string;
  readonly service_id: string;
  readonly service_name: string;
  readonly team_id: string;
  readonly creator_id: string;
  readonly state: string;
  readonly phase: string;
  readonly input: string | null;
  readonly result: string | null;
  readonly result_url: string | null;
  readonly started: string | null;
  readonly finished: string | null;
  readonly created: string;
  readonly attempt: number;
  readonly failure: { readonly reason: string; readonly message: string; readonly log_tail: string } | null;
}

export interface NewDeployment {
  readonly image: string;
  readonly tag?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly scaling?: { readonly min?: number; readonly max?: number };
}
