/** Empties the database. Events are final, but for a test that begins anew; of few rows, deleting is much faster than truncating. */
export const clearEverything = `
  alter table events disable trigger events_are_kept;
  alter table directory_events disable trigger directory_events_are_kept;
  alter table directory_event_places disable trigger directory_event_places_are_kept;
  delete from events;
  delete from directory_events;
  delete from directory_event_places;
  delete from numbers;
  delete from authorization_change_dates;
  delete from authorizations;
  delete from administrators;
  delete from tokens;
  delete from project_grants;
  delete from project_roles;
  delete from projects;
  delete from users;
  delete from organizations;
  delete from removed_things;
  alter table events enable trigger events_are_kept;
  alter table directory_events enable trigger directory_events_are_kept;
  alter table directory_event_places enable trigger directory_event_places_are_kept`;
