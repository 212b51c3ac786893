/** Selects so many assignments that can be created: of users that have none there yet, in places all over the organizations. */
export const selectNew = `
  select json_build_object(
    'userId', u.id, 'projectId', p.project_id, 'organizationId', o.id, 'roleKeys', array['viewer', 'editor']) as item
  from (select id, row_number() over (order by md5(id)) as number from users) u
  join (
    select project_id, organization, row_number() over (order by md5(project_id)) as number
    from bench.places where project_grant_id = '')
    p on p.number = 1 + u.number % (select count(*) from bench.places where project_grant_id = '')
  join bench.organizations o on o.number = p.organization
  where not exists (
    select from authorizations a
    where a.user_id = u.id and a.project_id = p.project_id and a.organization_id = o.id)
  order by u.number
  limit $1`;
