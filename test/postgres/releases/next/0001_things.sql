-- An invented release, for tests of upgrades alone.
create table things (id text primary key, name text not null);
