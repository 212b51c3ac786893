import type { NewThing } from "../../directory/changed-organizations.ts";
import type { Statement } from "../pool/prepared.ts";

/**
 * Adds what a request found to be new. Another organization may add a thing with the same id at the same time: then these
 * statements wait for it and fail, where an upsert would change the other organization's thing. They work in the order of
 * the ids, so no two requests wait for each other.
 */
const isNew = (kind: NewThing["kind"]) => `s.id in (select id from new_things where kind = '${kind}')`;

export const stageNew = (things: readonly NewThing[]): Statement => ({
  text: "insert into new_things select * from unnest($1::text[], $2::text[], $3::text[])",
  values: [things.map(({ kind }) => kind), things.map(({ id }) => id), things.map(({ formerly }) => formerly ?? null)],
});

export const addUsers = `
  insert into users (id, organization_id, preferred_login_name, display_name, avatar_url)
  select id, organization_id, preferred_login_name, display_name, avatar_url
  from staged_users s where ${isNew("user")} order by id`;

export const addProjects = `
  insert into projects (id, organization_id, name)
  select id, organization_id, name from staged_projects s where ${isNew("project")} order by id`;

export const addProjectGrants = `
  insert into project_grants (id, project_id, organization_id, owner_id)
  select s.id, s.project_id, s.organization_id, p.organization_id
  from staged_project_grants s join projects p on p.id = s.project_id
  where ${isNew("projectGrant")} order by s.id`;

/** Runs after these statements. From then on, no one else can add or remove things with these ids. */
export const takenMeanwhile = `
  select n.kind, n.id
  from new_things n left join removed_things r on r.kind = n.kind and r.id = n.id
  where r.organization_id is distinct from n.formerly
  limit 1`;
