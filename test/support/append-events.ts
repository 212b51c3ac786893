/** A statement that removes authorizations as the service does: each says in its event what it was. */
export function removeAuthorizations(condition: string, type: string, time: string): string {
  return `
    with removed as (delete from authorizations where ${condition} returning *),
    undated as (delete from authorization_change_dates c using removed where c.id = removed.id)
    insert into events (
      authorization_id, type, time, user_id, project_id, organization_id, project_grant_id, role_keys, role_keys_before,
      state_before, creation_date_before, request_id)
    select id, '${type}', ${time}, user_id, project_id, organization_id, project_grant_id, '{}',
      array(select role_key::text from authorization_roles where authorization_id = removed.id order by role_key),
      state, creation_date, gen_random_uuid()
    from removed`;
}

/**
 * A statement that appends events as SQL selects them: authorization_id, type, time, actor_id, user_id, project_id,
 * organization_id, project_grant_id, role_keys, state. What was there before an event was active and held no roles, since
 * the time of the event. Numbers follow from that, as from every event.
 *
 * @param select one row at most for each authorization
 */
export function appendEvents(select: string): string {
  return `
    insert into events (
      authorization_id, type, time, actor_id, user_id, project_id, organization_id, project_grant_id, role_keys, state,
      creation_date, state_before, creation_date_before, request_id)
    select authorization_id, type, time, actor_id, user_id, project_id, organization_id, project_grant_id, role_keys, state,
      case when state is not null then time end,
      case when type <> 'user.grant.added' then 'active'::authorization_state end,
      case when type <> 'user.grant.added' then time end,
      gen_random_uuid()
    from (${select}) as e (
      authorization_id, type, time, actor_id, user_id, project_id, organization_id, project_grant_id, role_keys, state)`;
}
