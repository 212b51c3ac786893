-- What the release after it brings: a column that the previous one need not know, filled for what is there.
alter table things add column label text;
update things set label = name || ' of ' || owner;
create function label_thing() returns trigger language plpgsql as $$
begin
  new.label := coalesce(new.label, new.name || ' of ' || new.owner);
  return new;
end $$;
create trigger things_label before insert on things for each row execute function label_thing();
