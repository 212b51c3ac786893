alter table things add column owner text not null default 'nobody';
