-- What look-ups are sorted and searched by: the name, whatever its case, then the id (docs/reference.md, "Look-ups").
-- Each replaces an index of the name alone.

drop index users_by_display_name, projects_by_name;
create index users_by_display_name on users (fold_case(display_name), id);
create index users_in_organization_by_display_name on users (organization_id, fold_case(display_name), id);
create index projects_by_name on projects (fold_case(name), id);
create index organizations_by_name on organizations (fold_case(name), id);
create index organizations_by_part_of_name on organizations using gin (fold_case(name) gin_trgm_ops);

-- Who has an authorization in an organization without belonging to it: all that an organization's administrators see
-- besides its users.
create index authorizations_of_guests on authorizations (organization_id, user_id, user_organization_id)
  where user_organization_id <> organization_id;
