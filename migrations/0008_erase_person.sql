-- erase_person of 0006_directory_events again: it finds whole words also where their letters aren't ASCII, takes the name of
-- a token only if that contains a name, and counts each event once.
--
-- Letters of words are those of Latin, Greek, and Cyrillic, by code point, so all servers agree. Many other scripts join names
-- and other words (王伟离职), so a name in them is found anywhere.
create or replace function erase_person(person text, other_names text[], request uuid, why text) returns bigint
  language plpgsql as $$
declare
  -- What an image of a user has, apart from its id and its organization.
  names constant text[] := '{preferredLoginName,displayName,avatarUrl}';
  no_letter constant text := '[^0-9a-z\u00df-\u00f6\u00f8-\u02af\u0300-\u052f\u1e00-\u1fff]';
  -- Finds each name as whole words, in whatever case.
  naming text;
  changed bigint;
  more bigint;
  organization text;
  event bigint;
begin
  -- A user who is there now could be removed while histories are read, and events of that be missed.
  if exists (select from users where id = person) then
    raise exception 'the user exists' using errcode = 'object_in_use';
  end if;
  perform set_config('authorization_service.erases', 'yes', true);
  select '(^|' || no_letter || ')(' || string_agg(
      regexp_replace(fold_case(name) collate "C", '[^a-z0-9 ]', '\\\&', 'g'), '|') || ')($|' || no_letter || ')'
    into naming
    from (
      select image ->> key from directory_events cross join unnest(array[before, after]) image
        cross join unnest('{preferredLoginName,displayName}'::text[]) key
        where kind = 'user' and id = person
      union select unnest(other_names)) known (name)
    where name <> '';
  update directory_events set
    reason = case when fold_case(reason) collate "C" ~ naming then '' else reason end,
    before = case when kind = 'token' and fold_case(before ->> 'name') collate "C" ~ naming then before - 'name' else before end,
    after = case when kind = 'token' and fold_case(after ->> 'name') collate "C" ~ naming then after - 'name' else after end
  where not (kind = 'user' and id = person) and (
    fold_case(reason) collate "C" ~ naming
    or kind = 'token' and fold_case(coalesce(before, after) ->> 'name') collate "C" ~ naming);
  get diagnostics changed = row_count;
  update events set reason = '' where fold_case(reason) collate "C" ~ naming;
  get diagnostics more = row_count;
  changed := changed + more;
  -- From here until the end, no one can add the user again.
  lock table users in share mode;
  if exists (select from users where id = person) then
    raise exception 'the user exists' using errcode = 'object_in_use';
  end if;
  update directory_events set
    reason = case when fold_case(reason) collate "C" ~ naming then '' else reason end,
    before = before - names,
    after = after - names
  where kind = 'user' and id = person and (coalesce(before, after) ?| names or fold_case(reason) collate "C" ~ naming);
  get diagnostics more = row_count;
  changed := changed + more;
  perform set_config('authorization_service.erases', 'no', true);
  -- What else remembers the names of removed users belongs here.
  select organization_id into organization from removed_things where kind = 'user' and id = person;
  if organization is null then
    return null;
  end if;
  insert into directory_events (time, kind, id, user_id, request_id, reason, before, after)
  values (statement_timestamp(), 'user', person, person, request, why,
    jsonb_build_object('id', person, 'organizationId', organization), jsonb_build_object('id', person))
  returning sequence into event;
  insert into directory_event_places (kind, id, time, sequence)
  values ('organization', organization, statement_timestamp(), event);
  return changed;
end $$;
revoke execute on function erase_person(text, text[], uuid, text) from public;
