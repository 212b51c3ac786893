-- Triggers keep what belongs to each entry.
set session_replication_role = origin;

-- Every organization has an owner and a viewer; on top of them come those who call in the bench.

insert into administrators (user_id, organization_id, roles)
select user_id, id, array[case slot - first_slot when 0 then 'ORG_OWNER' else 'ORG_OWNER_VIEWER' end]
from bench.organizations join bench.slots on slot in (first_slot, first_slot + 1) and organization = number;

create table bench.callers as
select kind, s.user_id
from (values
  ('instance', 1, 10), ('largest', 0, 10), ('large', 1, 11), ('small', 7, 0), ('fifty', 2, 10), ('two-thousand', 3, 10),
  ('project', 0, 11), ('grant', 0, 12), ('ordinary-project', 0, 13)
) as callers (kind, organization, place)
join bench.organizations o on o.number = callers.organization
join bench.slots s on s.slot = o.first_slot + place
union all
(select 'own', a.user_id
  from authorizations a
  where a.user_id in (select u.id from users u order by u.id limit 2000)
    and a.user_id not in (select user_id from administrators)
  group by a.user_id
  having count(*) between 3 and 5
  order by a.user_id
  limit 1);

insert into administrators (user_id, organization_id, project_id, project_grant_id, roles)
select c.user_id, s.organization_id, s.project_id, s.project_grant_id, array[s.role]
from bench.callers c
join (
  select 'instance' as kind, null as organization_id, null as project_id, null as project_grant_id, 'IAM_OWNER' as role
  union all
  select case number when 0 then 'largest' else 'large' end, id, null, null, 'ORG_OWNER'
  from bench.organizations where number < 2
  union all
  select 'fifty', id, null, null, 'ORG_OWNER_VIEWER'
  from bench.organizations where number between 100 and 449 and number % 7 = 2
  union all
  select 'two-thousand', id, null, null, 'ORG_OWNER_VIEWER' from bench.organizations where number between 6 and 2005
  union all
  select 'project', null, project_id, null, 'PROJECT_OWNER' from bench.places where organization = 0 and number = 0
  union all
  (select 'ordinary-project', null, project_id, null, 'PROJECT_OWNER'
  from authorizations group by project_id order by abs(count(*) - 300), project_id limit 1)
  union all
  select 'grant', null, null, project_grant_id, 'PROJECT_GRANT_OWNER'
  from bench.places where organization = 0 and number = 1
) s on s.kind = c.kind;

set session_replication_role = replica;
