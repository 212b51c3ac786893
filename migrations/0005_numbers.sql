-- Numbers of authorizations, so that totals and overviews cost about the same however many there are
-- (docs/reference/overview.md; docs/internals/how-lists-stay-fast.md).

-- What a number counts, and its key:
--   state  authorizations in a state: in each place, in each organization, and overall
--   role   authorizations with a role: in each place
-- An empty organization or project means all of them.
create type number_kind as enum ('state', 'role');

-- A number is the sum over its slots. Each writer adds to its own slot, so writers never wait for each other.
create table numbers (
  -- This order needs no padding.
  number bigint not null,
  kind number_kind not null,
  slot smallint not null,
  organization_id text collate "C" not null,
  project_id text collate "C" not null,
  key text collate "C" not null,
  primary key (kind, organization_id, project_id, key, slot)
) with (fillfactor = 90);

-- Takes the first free slot for this transaction, until it ends. There are never more slots than there were writers at the
-- same time.
create function hold_slot() returns smallint language plpgsql as $$
declare
  slot smallint := 0;
begin
  while not pg_try_advisory_xact_lock(720638141, slot) loop
    slot := slot + 1;
  end loop;
  return slot;
end $$;

-- Maintains all numbers from the events.
--
-- Only this transaction writes to its slot, so rows can be merged. The settings make Postgres look up each row by its key.
-- Otherwise a plan made for a small table would read the whole table once it is large. They also make Postgres keep the
-- plan. A plan made for 500 changes looks so expensive that Postgres would otherwise plan each later change on that
-- connection again, which takes longer than the change.
create function keep_numbers() returns trigger language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan as $$
declare
  held constant smallint := hold_slot();
begin
  -- What an event doesn't change sums up to 0.
  merge into numbers n
  using (
    select s.kind, s.organization_id, s.project_id, s.key, sum(p.sign)::bigint as number
    from (
      select 1 as sign, organization_id, project_id, state, role_keys from added where state is not null
      union all
      select -1, coalesce(organization_id_before, organization_id), coalesce(project_id_before, project_id),
        state_before, role_keys_before
      from added where state_before is not null
    ) p cross join lateral (
      values
        ('state'::number_kind, '', '', p.state::text),
        ('state', p.organization_id, '', p.state::text),
        ('state', p.organization_id, p.project_id, p.state::text)
      union all
      select 'role', p.organization_id, p.project_id, unnest(p.role_keys)
    ) s (kind, organization_id, project_id, key)
    group by s.kind, s.organization_id, s.project_id, s.key
    having sum(p.sign) <> 0
  ) c
  on n.kind = c.kind and n.organization_id = c.organization_id and n.project_id = c.project_id and n.key = c.key
    and n.slot = held
  when matched then update set number = n.number + c.number
  when not matched then
    insert (kind, organization_id, project_id, key, slot, number)
    values (c.kind, c.organization_id, c.project_id, c.key, held, c.number);
  return null;
end $$;
create trigger events_keep_numbers after insert on events
  referencing new table as added for each statement execute function keep_numbers();

-- The correct numbers, counted from the rows. One view for each kind.
create view counted_states as
  select
    coalesce(organization_id, '') collate "C" as organization_id, coalesce(project_id, '') collate "C" as project_id,
    state::text collate "C" as key, count(*) as number
  from authorizations
  group by grouping sets ((state), (state, organization_id), (state, organization_id, project_id));
create view counted_roles as
  select
    a.organization_id collate "C" as organization_id, a.project_id collate "C" as project_id,
    h.role_key collate "C" as key, count(*) as number
  from authorization_roles h join authorizations a on a.id = h.authorization_id
  group by a.organization_id, a.project_id, h.role_key;
create view counted_numbers as
  select 'state'::number_kind as kind, * from counted_states
  union all
  select 'role', * from counted_roles;

-- Recounts all numbers, for use after triggers were off. Changes wait in the meantime.
create function recount_numbers() returns void language sql as $$
  lock table numbers in share row exclusive mode;
  delete from numbers;
  insert into numbers (kind, organization_id, project_id, key, slot, number)
  select kind, organization_id, project_id, key, 0, number
  from counted_numbers
  order by 1, 2, 3, 4;
$$;

-- Does the same for the order of change dates, which each change keeps.
create function restore_change_dates() returns void language sql as $$
  lock table authorization_change_dates in share row exclusive mode;
  delete from authorization_change_dates c
  where not exists (
    select from authorizations a
    where (a.id, a.organization_id, a.project_id, a.change_date) = (c.id, c.organization_id, c.project_id, c.change_date));
  insert into authorization_change_dates (id, organization_id, project_id, change_date)
  select id, organization_id, project_id, change_date from authorizations a
  where not exists (select from authorization_change_dates c where c.id = a.id);
$$;
