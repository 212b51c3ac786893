-- An invented next release, for the test of upgrades alone. It brings a column that the release before need not know, and
-- an index of it.
alter table authorizations add column note text collate "C" not null default '';
create index authorizations_by_note on authorizations (note) where note <> '';
