import type pg from "pg";

/** What the filters of the plan test ask for, out of the bench world. */
export type Samples = {
  readonly authorization_ids: string[];
  readonly user_ids: string[];
  readonly largest_organization: string;
  readonly small_organization: string;
  readonly large_project: string;
  readonly small_project: string;
  readonly small_project_name: string;
  readonly small_organization_name: string;
  readonly project_ids: string[];
  readonly project_grant: string;
  /** One whose roles were changed. */
  readonly changed_authorization: string;
  readonly frequent_actor: string;
  readonly rare_actor: string;
  readonly user_id: string;
  readonly login_name: string;
  readonly display_name: string;
  readonly rare_role: string;
};

export async function pickSamples(client: pg.Client): Promise<Samples> {
  const { rows } = await client.query<Samples>(selectSamples);
  const [samples] = rows;
  const missing = Object.entries(samples ?? {}).filter(([, value]) => value === null);
  if (samples === undefined || missing.length > 0) throw new Error(`the world has no ${missing.join(", ")}`);
  return samples;
}

// The small organization is one of those the viewer of fifty sees; the large project and the grant are those whose
// owners call. The user has a rare name, in the largest organization if there is such a one.
const selectSamples = `
  select
    array(select id::text from authorizations order by md5(id) limit 10) as authorization_ids,
    array(select id::text from users order by md5(id) limit 10) as user_ids,
    largest.id as largest_organization,
    small.id as small_organization,
    (select project_id from bench.places where organization = 0 and number = 0) as large_project,
    p.id as small_project,
    p.name as small_project_name,
    (select name from organizations where id = small.id) as small_organization_name,
    array(select id::text from projects order by md5(id) limit 10) as project_ids,
    (select project_grant_id from bench.places where organization = 0 and number = 1) as project_grant,
    (select authorization_id from events where type = 'user.grant.changed' order by time limit 1) as changed_authorization,
    (select user_id from bench.callers where kind = 'instance') as frequent_actor,
    (select user_id from bench.slots where slot = small.first_slot) as rare_actor,
    u.id as user_id,
    u.preferred_login_name as login_name,
    u.display_name as display_name,
    (select min(role_key) from authorization_roles where role_key like 'custodian-%') as rare_role
  from bench.organizations largest
  join bench.organizations small on small.number = 100
  join bench.places on places.organization = small.number and places.number = 0
  join projects p on p.id = places.project_id
  cross join lateral (
    select * from users
    where display_name like '% Quillfeather'
    order by organization_id <> largest.id, id
    limit 1) u
  where largest.number = 0`;
