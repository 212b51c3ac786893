-- A small world as release 0.1.0 left it behind, in the columns of its schema.

insert into organizations (id, name) values
  ('acme', 'Acme'), ('globex', 'Globex "Ä"'), ('initech', 'Initech');

insert into users (id, organization_id, preferred_login_name, display_name, avatar_url) values
  ('ann', 'acme', 'ann@acme.example', 'Ann', 'https://acme.example/ann.png'),
  ('bea', 'globex', 'bea@globex.example', 'Béa', ''),
  ('bob', 'globex', 'bob@globex.example', '', ''),
  ('cid', 'initech', 'cid@initech.example', 'Cid', ''),
  ('root', 'acme', 'root@acme.example', 'Root', '');

insert into projects (id, organization_id, name) values
  ('depot', 'acme', 'Depot'), ('shop', 'acme', 'Shop');

insert into project_roles (project_id, key, display_name, group_name) values
  ('depot', 'keeper', '', ''),
  ('shop', 'auditor', 'Auditor', 'control'),
  ('shop', 'owner', 'Owner', ''),
  ('shop', 'seller', 'Seller', 'staff');

insert into project_grants (id, project_id, organization_id, owner_id) values
  ('shop-to-globex', 'shop', 'globex', 'acme'), ('shop-to-initech', 'shop', 'initech', 'acme');

insert into project_grant_roles (project_grant_id, project_id, role_key) values
  ('shop-to-globex', 'shop', 'auditor'), ('shop-to-globex', 'shop', 'seller');

insert into administrators (user_id, organization_id, project_id, project_grant_id, roles) values
  ('ann', 'acme', null, null, '{ORG_OWNER,ORG_USER_MANAGER}'),
  ('ann', null, 'shop', null, '{PROJECT_OWNER_VIEWER}'),
  ('bea', null, null, 'shop-to-globex', '{PROJECT_GRANT_OWNER}'),
  ('root', null, null, null, '{IAM_OWNER}');

insert into tokens (id, user_id, hash, creation_date, expiration_date) values
  ('of-root', 'root', sha256('authz_root'), '2025-01-01T00:00:00Z', null),
  ('of-ann', 'ann', sha256('authz_ann'), '2025-01-01T00:00:00Z', null),
  ('of-bea', 'bea', sha256('authz_bea'), '2025-01-01T00:00:00Z', '2999-01-01T00:00:00Z'),
  ('expired', 'root', sha256('authz_expired'), '2025-01-01T00:00:00Z', '2025-02-01T00:00:00Z');

insert into authorizations (
  id, user_id, project_id, organization_id, project_grant_id, state, creation_date, change_date)
values
  ('owned', 'ann', 'shop', 'acme', '', 'active', '2025-01-01T00:00:00Z', '2025-01-01T00:00:00Z'),
  ('owned-inactive', 'cid', 'depot', 'acme', '', 'inactive', '2025-01-02T00:00:00Z', '2025-01-12T00:00:00.000001Z'),
  ('granted', 'bob', 'shop', 'globex', 'shop-to-globex', 'active', '2025-01-03T00:00:00.5Z', '2025-01-13T00:00:00Z'),
  ('granted-inactive', 'bea', 'shop', 'globex', 'shop-to-globex', 'inactive', '2025-01-04T00:00:00Z', '2025-01-14T00:00:00Z'),
  ('granted-without-roles', 'cid', 'shop', 'initech', 'shop-to-initech', 'active', '2025-01-05T00:00:00Z', '2025-01-15T00:00:00Z');

insert into authorization_roles (authorization_id, project_id, project_grant_id, role_key) values
  ('owned', 'shop', '', 'owner'),
  ('owned', 'shop', '', 'seller'),
  ('owned-inactive', 'depot', '', 'keeper'),
  ('granted', 'shop', 'shop-to-globex', 'auditor'),
  ('granted-inactive', 'shop', 'shop-to-globex', 'seller');

insert into events (
  authorization_id, type, time, actor_id, user_id, project_id, organization_id, project_grant_id, role_keys, state)
values
  ('owned', 'user.grant.added', '2025-01-01T00:00:00Z', null, 'ann', 'shop', 'acme', '', '{owner,seller}', 'active'),
  ('owned-inactive', 'user.grant.added', '2025-01-02T00:00:00Z', 'ann', 'cid', 'depot', 'acme', '', '{keeper}', 'active'),
  ('granted', 'user.grant.added', '2025-01-03T00:00:00.5Z', 'bea', 'bob', 'shop', 'globex', 'shop-to-globex', '{seller}', 'active'),
  ('granted-inactive', 'user.grant.added', '2025-01-04T00:00:00Z', 'root', 'bea', 'shop', 'globex', 'shop-to-globex', '{seller}', 'active'),
  ('granted-without-roles', 'user.grant.added', '2025-01-05T00:00:00Z', 'root', 'cid', 'shop', 'initech', 'shop-to-initech', '{seller}', 'active'),
  ('removed', 'user.grant.added', '2025-01-06T00:00:00Z', 'bea', 'cid', 'shop', 'globex', 'shop-to-globex', '{auditor}', 'active'),
  ('owned-inactive', 'user.grant.deactivated', '2025-01-12T00:00:00.000001Z', 'ann', 'cid', 'depot', 'acme', '', '{keeper}', 'inactive'),
  ('granted', 'user.grant.changed', '2025-01-13T00:00:00Z', 'bea', 'bob', 'shop', 'globex', 'shop-to-globex', '{auditor}', 'active'),
  ('granted-inactive', 'user.grant.deactivated', '2025-01-13T00:00:00Z', 'bea', 'bea', 'shop', 'globex', 'shop-to-globex', '{seller}', 'inactive'),
  ('granted-inactive', 'user.grant.reactivated', '2025-01-13T12:00:00Z', 'bea', 'bea', 'shop', 'globex', 'shop-to-globex', '{seller}', 'active'),
  ('granted-inactive', 'user.grant.deactivated', '2025-01-14T00:00:00Z', 'bea', 'bea', 'shop', 'globex', 'shop-to-globex', '{seller}', 'inactive'),
  ('granted-without-roles', 'user.grant.cascade.changed', '2025-01-15T00:00:00Z', null, 'cid', 'shop', 'initech', 'shop-to-initech', '{}', 'active'),
  ('removed', 'user.grant.removed', '2025-01-16T00:00:00Z', 'bea', 'cid', 'shop', 'globex', 'shop-to-globex', '{}', null),
  ('cascaded', 'user.grant.added', '2025-01-17T00:00:00Z', null, 'bob', 'depot', 'acme', '', '{}', 'active'),
  ('cascaded', 'user.grant.cascade.removed', '2025-01-18T00:00:00Z', 'root', 'bob', 'depot', 'acme', '', '{}', null);
