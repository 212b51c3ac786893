-- The authorizations of the bench world, in a table of their own first: in order of creation, as a service that runs
-- for years gets them, so that the rows of an organization lie all over the table.

-- Where an organization can have authorizations. The first ones get most.
create table bench.places as
with places as (
  select organization, ordinal as preference, bench.chance(number, 20) as chance, id as project_id, '' as project_grant_id,
    array(select r.key from bench.roles r where r.project = p.number order by r.rank) as role_keys
  from bench.projects p
  union all
  select organization, row_number() over (partition by organization order by id), bench.chance(project, 21), project_id,
    id, array(select r.key from bench.roles r where r.project = g.project and r.rank < g.role_count order by r.rank)
  from bench.grants g
)
select organization, project_id, project_grant_id, role_keys,
  -- An owned project comes first and a granted one second, for the callers who have rights in just these.
  row_number() over (partition by organization
    order by case when project_grant_id = '' and preference = 0 then 0
      when project_grant_id <> '' and preference = 1 then 1 else 2 end, chance) - 1 as number
from places;
create unique index on bench.places (organization, number);
analyze bench.places;

-- A user is in up to three places of an organization; beyond its own users, an organization has guests.
create table bench.pools as
select o.number as organization, o.id as organization_id, first_row, row_count, first_slot, slot_count, place_count, pool,
  first_slot + floor(bench.chance(o.number, 23) * (bench.user_total() - pool))::bigint as first_guest
from bench.organizations o
cross join lateral (select count(*) as place_count from bench.places p where p.organization = o.number) p
cross join lateral (select ceil(row_count / least(place_count, 3)::numeric)::bigint as pool) q;
analyze bench.pools, bench.slots;

create table bench.authorizations as
with spread as materialized (
  select organization, organization_id, place_count, first_row + i as n, i / pool as turn, first_row + i % pool as person,
    case when i % pool < slot_count then first_slot + i % pool
      else (first_guest + i % pool) % bench.user_total() end as slot,
    1704067200000000 + floor(bench.chance(first_row + i, 24) * 63072000000000)::bigint as created
  from bench.pools cross join generate_series(0, row_count - 1) i
), placed as materialized (
  select n, organization, organization_id, slot, created,
    (floor(place_count * bench.chance(person, 22) ^ 2)::bigint + turn) % place_count as place,
    case when bench.chance(n, 25) < 0.4
      then created + floor(bench.chance(n, 26) * (1767139200000000 - created))::bigint else created end as changed
  from spread
)
select bench.id(created / 1000, d.n, 'authorization') as id, s.user_id, s.organization_id as user_organization_id,
  fold_case(u.display_name) as user_name,
  p.project_id, d.organization_id, p.project_grant_id,
  (case when bench.chance(d.n, 27) < 0.1 then 'inactive' else 'active' end)::authorization_state as state,
  timestamptz 'epoch' + created * interval '1 microsecond' as creation_date,
  timestamptz 'epoch' + changed * interval '1 microsecond' as change_date,
  array(select p.role_keys[1 + (floor(cardinality(p.role_keys) * bench.chance(d.n, 28) ^ 2)::bigint + j)
      % cardinality(p.role_keys)]
    from generate_series(0, floor(bench.chance(d.n, 29) * 3)::bigint) j) as role_keys
from placed d
join bench.places p on p.organization = d.organization and p.number = d.place
join bench.slots s on s.slot = d.slot
join users u on u.id = s.user_id
order by created, d.n;

create table bench.authorization_roles as
select a.id as authorization_id, a.project_id, a.project_grant_id, key as role_key
from bench.authorizations a cross join unnest(a.role_keys) key;
