-- The directory of the bench world. Everything follows from numbers, so the same size gives the same world each time.
-- Organization 0 holds a tenth of all rows, 1 to 5 a fiftieth each, every twentieth of the rest ten times its neighbours.

create schema bench;

create function bench.rows() returns bigint language sql stable
  return current_setting('bench.rows')::bigint;
create function bench.user_total() returns bigint language sql stable
  return bench.rows() / 5;

-- From 0 up to 1, always the same for a number and a seed.
create function bench.chance(n bigint, seed bigint) returns float8 language sql immutable parallel safe
  return ((hashint8extended(n, seed) >> 11) & 9007199254740991) / 9007199254740992::float8;

-- Looks like a UUIDv7: it begins with milliseconds.
create function bench.id(milliseconds bigint, n bigint, kind text) returns text language sql immutable parallel safe
  return (lpad(to_hex(milliseconds), 12, '0') || '7' || substr(md5(kind || n), 1, 3)
    || substr('89ab', 1 + (n % 4)::integer, 1) || substr(md5(kind || n), 4, 15))::uuid::text;

-- Neighbours in an organization are far apart in the table: slots are in order of organization, numbers are not.
create function bench.user_number(slot bigint) returns bigint language sql stable
  return slot * 982451653 % bench.user_total();

create function bench.pick(choices text[], chance float8) returns text language sql immutable parallel safe
  return choices[1 + floor(chance * cardinality(choices))::integer];

create table bench.organizations as
with weighed as (
  select n as number, (0.5 + bench.chance(n, 1)) * case when n % 20 = 10 then 10 else 1 end as weight
  from generate_series(0, greatest(2500, bench.rows() / 1000) - 1) n
), shares as (
  select number, case
      when number = 0 then 0.1
      when number <= 5 then 0.02
      else 0.8 * weight / sum(weight) filter (where number > 5) over ()
    end as share
  from weighed
), ends as (
  select number, share, sum(share) over (order by number) as share_end from shares
)
select number,
  bench.id(1640995200000 + number * 3600000, number, 'organization') as id,
  round((share_end - share) * bench.rows())::bigint as first_row,
  round(share_end * bench.rows())::bigint - round((share_end - share) * bench.rows())::bigint as row_count,
  round((share_end - share) * bench.user_total())::bigint as first_slot,
  round(share_end * bench.user_total())::bigint - round((share_end - share) * bench.user_total())::bigint as slot_count,
  case when number = 0 then 60 when number <= 5 then 24 when number % 20 = 10 then 8
    else 1 + floor(bench.chance(number, 2) * 5)::integer end as project_count,
  case when number = 0 then 6 when number <= 5 then 4 when number % 20 = 10 then 3
    else floor(bench.chance(number, 3) * 3)::integer end as grant_count
from ends;

insert into organizations (id, name)
select id, bench.pick('{Northern,Placid,Übersee,Blue,Grand,Little,First,Atlas}', bench.chance(number, 4)) || ' '
  || bench.pick('{Logistics,Foods,Bücher,Works,Trading,Systems,Clinic,Energy}', bench.chance(number, 5)) || ' ' || number
from bench.organizations
order by number;

create table bench.slots as
select slot, n, bench.id(1640995200000 + n * 20000, n, 'user') as user_id, id as organization_id,
  number as organization
from bench.organizations
cross join generate_series(first_slot, first_slot + slot_count - 1) slot
cross join lateral bench.user_number(slot) n;
create unique index on bench.slots (slot);

insert into users (id, organization_id, preferred_login_name, display_name, avatar_url)
with people as (
  select user_id, organization_id, organization, n,
    bench.pick('{Anna,Ben,Carla,David,Elena,Femi,Grace,Hana,Ivan,Jürgen,Kofi,Lucía,Maria,Noah,Olga,Peter,Quentin,Rosa,
      Søren,Tara,Umar,Vera,Walter,Xenia,Yusuf,Zoë,Amelia,Bruno,Clara,Dario,Emil,Fatima,George,Helena,Isla,Jonas,Karim,
      Lena,Milan,Nadia}', bench.chance(n, 6)) as given,
    -- One of four thousand has a name that a selective search finds.
    case when n % 4001 = 17 then 'Quillfeather' else bench.pick('{Smith,Müller,Garcia,Kowalski,Nguyen,Okafor,Rossi,
      Tanaka,Silva,Novák,Larsen,Baker,Dubois,Haddad,Ivanova,Jansen,Kim,Lindqvist,Moreau,Nowak,Østergaard,Popescu,Quinn,
      Rivera,Schmidt,Taylor,Usman,Vasquez,Weber,Xu,Young,Zhang}', bench.chance(n, 7) ^ 2) end as family
  from bench.slots
)
select user_id, organization_id, lower(given || '.' || family) || n || '@org' || organization || '.example',
  given || ' ' || family,
  case when bench.chance(n, 8) < 0.3 then 'https://pictures.example/' || md5(n::text) || '.png' else '' end
from people
order by n;

create table bench.projects as
select row_number() over (order by o.number, ordinal) - 1 as number, o.number as organization, ordinal,
  o.id as organization_id, 5 + floor(bench.chance(o.number * 100 + ordinal, 9) * 6)::integer as role_count, ''::text as id
from bench.organizations o cross join generate_series(0, o.project_count - 1) ordinal;
update bench.projects set id = bench.id(1672531200000 + number * 60000, number, 'project');
create unique index on bench.projects (number);

insert into projects (id, organization_id, name)
select id, organization_id,
  bench.pick('{Shop,Timesheets,Payroll,Café,Tickets,Fleet,Archive,Portal}', bench.chance(number, 10)) || ' ' || number
from bench.projects
order by number;

-- The first keys are in every project, the last ones in few.
create table bench.roles as
select number as project, id as project_id, rank, case rank
    when 0 then 'viewer' when 1 then 'editor' when 2 then 'approver' when 3 then 'owner' when 4 then 'auditor'
    when 5 then 'operator' when 6 then 'trainer-' || number % 50 when 7 then 'cashier' when 8 then 'translator'
    else 'custodian-' || number % 997 end as key
from bench.projects cross join generate_series(0, role_count - 1) rank;

create index on bench.roles (project, rank);

insert into project_roles (project_id, key, display_name, group_name)
select project_id, key, initcap(key), case when rank < 2 then 'everyone' when rank < 5 then 'staff' else '' end
from bench.roles
order by project, rank;

-- A fifth of the grants are of projects of the largest organization.
create table bench.grants as
select distinct on (o.number, p.number) o.number as organization, o.id as organization_id, p.number as project,
  p.id as project_id, p.organization_id as owner_id, greatest(4, p.role_count - k % 3) as role_count,
  bench.id(1680307200000 + (o.number * 10 + k) * 60000, o.number * 10 + k, 'grant') as id
from bench.organizations o
cross join generate_series(0, o.grant_count - 1) k
join bench.projects p on p.number = floor(bench.chance(o.number * 10 + k, 11)
  * case when bench.chance(o.number * 10 + k, 12) < 0.2 then 60 else (select count(*) from bench.projects) end)
where p.organization <> o.number
order by o.number, p.number, k;

insert into project_grants (id, project_id, organization_id, owner_id)
select id, project_id, organization_id, owner_id from bench.grants order by id;

insert into project_grant_roles (project_grant_id, project_id, role_key)
select g.id, g.project_id, r.key from bench.grants g join bench.roles r on r.project = g.project and r.rank < g.role_count;
