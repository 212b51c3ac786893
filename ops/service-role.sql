-- Gives a role what serving needs, and nothing more (docs/how-to/use-your-own-postgres.md, "A least-privilege role"). Run as the owner of
-- the database, after `migrate` has made the schema in it, and as often as you like:
--
--   psql -v ON_ERROR_STOP=1 -v service=authz_service -f ops/service-role.sql "$OWNER_DATABASE_URL"

begin;

-- The command import stages changes in temporary tables.
select set_config('service.role', :'service', true);
do $$ begin
  execute format('grant connect, temporary on database %I to %I', current_database(), current_setting('service.role'));
end $$;

grant usage on schema public to :"service";
-- In a database that was made before PostgreSQL 15 everybody may create there.
revoke create on schema public from public;

grant select, insert, update, delete on all tables in schema public to :"service";
-- What a later migration makes is granted when it is made.
alter default privileges in schema public grant select, insert, update, delete on tables to :"service";

-- History is appended to and read. Which migrations are in is only read, and so are the secrets.
revoke update, delete on events, directory_events, directory_event_places from :"service";
revoke insert, update, delete on kept_events, kept_directory_events, kept_directory_event_places, kept_history
  from :"service";
revoke insert, update, delete on migrations, database_secrets from :"service";

-- Tokens are created and revoked, but never changed: not whose they are, not when they end, and not what proves them. A
-- trigger refuses those without an event, an end or a maker. Tokens that outlive the one they were made with are linked to
-- the one before it.
revoke update on tokens from :"service";
grant update (last_use_date, made_with) on tokens to :"service";

commit;
