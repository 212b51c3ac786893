/**
 * Expressions for the image of a thing: the JSON of its message in service.directory.v1, without empty fields, with roles
 * and role keys sorted. Each takes the alias of a stored or staged row. Events and outcomes contain these images.
 */

const image = (fields: Readonly<Record<string, string>>) =>
  `jsonb_strip_nulls(jsonb_build_object(${Object.entries(fields).map(([name, value]) => `'${name}', ${value}`)}))`;

const unlessEmpty = (value: string) => `nullif(${value}, '')`;
const unlessNone = (keys: string) => `to_jsonb(nullif(${keys}, '{}'))`;
const date = (value: string) => `to_char(${value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

export const organizationImage = (o: string) => image({ id: `${o}.id`, name: `${o}.name` });

export const userImage = (u: string) =>
  image({
    id: `${u}.id`,
    organizationId: `${u}.organization_id`,
    preferredLoginName: `${u}.preferred_login_name`,
    displayName: unlessEmpty(`${u}.display_name`),
    avatarUrl: unlessEmpty(`${u}.avatar_url`),
  });

export const projectImage = (p: string) =>
  image({ id: `${p}.id`, organizationId: `${p}.organization_id`, name: `${p}.name` });

export const projectRoleImage = (r: string) =>
  image({
    projectId: `${r}.project_id`,
    key: `${r}.key`,
    displayName: unlessEmpty(`${r}.display_name`),
    group: unlessEmpty(`${r}.group_name`),
  });

/** @param keys an array of the keys, sorted */
export const projectGrantImage = (g: string, keys: string) =>
  image({
    id: `${g}.id`,
    projectId: `${g}.project_id`,
    organizationId: `${g}.organization_id`,
    roleKeys: unlessNone(keys),
  });

export const administratorImage = (a: string) =>
  image({
    userId: `${a}.user_id`,
    instance: `case when num_nonnulls(${a}.organization_id, ${a}.project_id, ${a}.project_grant_id) = 0 then true end`,
    organizationId: `${a}.organization_id`,
    projectId: `${a}.project_id`,
    projectGrantId: `${a}.project_grant_id`,
    roles: unlessNone(`array(select role from unnest(${a}.roles) as role order by role collate "C")`),
  });

/**
 * @param keys an array of the keys, sorted
 * @param dates each can be null, which leaves it out
 */
export const authorizationImage = (
  a: string,
  keys: string,
  dates = { creation: `${a}.creation_date`, change: `${a}.change_date` },
) =>
  image({
    id: `${a}.id`,
    userId: `${a}.user_id`,
    projectId: `${a}.project_id`,
    organizationId: `${a}.organization_id`,
    roleKeys: unlessNone(keys),
    state: `'STATE_' || upper(${a}.state::text)`,
    creationDate: date(dates.creation),
    changeDate: date(dates.change),
  });
