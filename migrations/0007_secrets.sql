-- Random values that callers must not know. The only row is made here and never changes. It is part of every backup, but
-- not of `export`.
create table database_secrets (
  is_only boolean primary key default true check (is_only),
  -- Decides which projects share a gate (src/postgres/change/project-gates.ts), so no one can pick ids for it.
  gate_salt bigint not null,
  -- Encrypts the versions of the directory (src/postgres/directory/directory-version.ts).
  version_key bytea not null check (octet_length(version_key) = 32)
);

-- A random UUID has 122 random bits.
insert into database_secrets (gate_salt, version_key)
select
  hashtextextended(gen_random_uuid()::text, 0),
  sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8'));
