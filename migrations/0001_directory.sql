-- The directory: what authorizations point at (docs/reference/directory.md).

-- Finds a part of a text by the groups of three characters in it. It comes with PostgreSQL.
create extension if not exists pg_trgm;

-- Ids and role keys compare by code point. At most 600 bytes keeps four of them within one index key.
create domain identifier as text collate "C"
  check (char_length(value) between 1 and 200 and octet_length(value) <= 600);

-- Folds letters that have a one-to-one case pair, the same way whatever the locale of the database. Most texts are
-- plain ASCII and need no more than that. ICU does the rest, but for two things: it writes a sigma at the end of a word
-- as ς, which must not depend on where the text was cut; and it may be too old for the pairs that Unicode has got since
-- version 11, Georgian among them.
-- It is not strict: Postgres then puts what it does in place of its call, which is several times as fast.
create function fold_case(value text) returns text
  language sql immutable parallel safe
  return case when octet_length(value) = char_length(value)
    then lower(value collate "C") collate "C"
    else translate(lower(value collate "und-x-icu"),
      'ςᲉᲐᲑᲒᲓᲔᲕᲖᲗᲘᲙᲚᲛᲜᲝᲞᲟᲠᲡᲢᲣᲤᲥᲦᲧᲨᲩᲪᲫᲬᲭᲮᲯᲰᲱᲲᲳᲴᲵᲶᲷᲸᲹᲺᲽᲾᲿⰯꞸꞺꞼꞾꟀꟂꟄꟅꟆꟇꟉꟋꟌ꟎Ꟑ꟒꟔ꟖꟘꟚꟜꟵ𐕰𐕱𐕲𐕳𐕴𐕵𐕶𐕷𐕸𐕹𐕺𐕼𐕽𐕾𐕿𐖀𐖁𐖂𐖃𐖄𐖅𐖆𐖇𐖈𐖉𐖊𐖌𐖍𐖎𐖏𐖐𐖑𐖒𐖔𐖕𐵐𐵑𐵒𐵓𐵔𐵕𐵖𐵗𐵘𐵙𐵚𐵛𐵜𐵝𐵞𐵟𐵠𐵡𐵢𐵣𐵤𐵥𖹀𖹁𖹂𖹃𖹄𖹅𖹆𖹇𖹈𖹉𖹊𖹋𖹌𖹍𖹎𖹏𖹐𖹑𖹒𖹓𖹔𖹕𖹖𖹗𖹘𖹙𖹚𖹛𖹜𖹝𖹞𖹟𖺠𖺡𖺢𖺣𖺤𖺥𖺦𖺧𖺨𖺩𖺪𖺫𖺬𖺭𖺮𖺯𖺰𖺱𖺲𖺳𖺴𖺵𖺶𖺷𖺸',
      'σᲊაბგდევზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰჱჲჳჴჵჶჷჸჹჺჽჾჿⱟꞹꞻꞽꞿꟁꟃꞔʂᶎꟈꟊɤꟍ꟏ꟑꟓꟕꟗꟙꟛƛꟶ𐖗𐖘𐖙𐖚𐖛𐖜𐖝𐖞𐖟𐖠𐖡𐖣𐖤𐖥𐖦𐖧𐖨𐖩𐖪𐖫𐖬𐖭𐖮𐖯𐖰𐖱𐖳𐖴𐖵𐖶𐖷𐖸𐖹𐖻𐖼𐵰𐵱𐵲𐵳𐵴𐵵𐵶𐵷𐵸𐵹𐵺𐵻𐵼𐵽𐵾𐵿𐶀𐶁𐶂𐶃𐶄𐶅𖹠𖹡𖹢𖹣𖹤𖹥𖹦𖹧𖹨𖹩𖹪𖹫𖹬𖹭𖹮𖹯𖹰𖹱𖹲𖹳𖹴𖹵𖹶𖹷𖹸𖹹𖹺𖹻𖹼𖹽𖹾𖹿𖺻𖺼𖺽𖺾𖺿𖻀𖻁𖻂𖻃𖻄𖻅𖻆𖻇𖻈𖻉𖻊𖻋𖻌𖻍𖻎𖻏𖻐𖻑𖻒𖻓') collate "C"
  end;

-- The words of a text as they are searched: folded, without accents, split at everything that is neither a letter nor a
-- digit in ASCII and Latin-1, and at the punctuation of other scripts. The same on every server, whatever its locale, its
-- ICU and its extensions. A word of a tsvector has at most 2,046 bytes, so only its beginning counts. Both functions find fold_case without a search path, so that dumps of their indexes restore.
create function search_words(value text) returns tsvector
  language sql immutable parallel safe
  return array_to_tsvector(array(select left(word, 170) from regexp_split_to_table(
    case when octet_length(value) = char_length(value) then fold_case(value)
      else regexp_replace(fold_case(normalize(value, NFD)), '[\u0300-\u036f]+', '', 'g') end,
    '[\u0001-/:-@\[-`{-\u00a9\u00ab-\u00b1\u00b4\u00b6-\u00b8\u00bb-\u00bf\u2000-\u206f\u3000-\u3003]+' collate "C") word where word <> ''));

-- Finds texts in which each word of the value begins a word; null if the value has no words.
create function search_query(value text) returns tsquery
  language sql immutable parallel safe
  return (select string_agg('''' || word || ''':*', ' & ')
    from unnest(tsvector_to_array(search_words(value))) word)::tsquery;

create table organizations (
  id identifier primary key,
  name text collate "C" not null check (char_length(name) between 1 and 200),
  -- Kept, because a list in the order of names looks at the words of many rows, and splitting a text takes long.
  words tsvector not null generated always as (search_words(name)) stored
);
-- Lists of names are sorted by the folded name, then the id. Texts are found by their folded form; where the case counts,
-- what is found is compared once more.
create index organizations_by_name on organizations (fold_case(name), id);
create index organizations_by_part_of_name on organizations using gin (fold_case(name) gin_trgm_ops);
create index organizations_by_words on organizations using gin (words);

create table users (
  id identifier primary key,
  organization_id identifier not null references organizations (id),
  preferred_login_name text collate "C" not null check (char_length(preferred_login_name) between 1 and 200),
  display_name text collate "C" not null check (char_length(display_name) <= 200),
  avatar_url text collate "C" not null check (char_length(avatar_url) <= 2048),
  words tsvector not null generated always as (search_words(display_name || ' ' || preferred_login_name)) stored,
  -- What authorizations point at to know the organization of their user.
  unique (id, organization_id)
);
create index users_by_organization on users (organization_id, id);
create index users_by_login_name on users (fold_case(preferred_login_name));
create index users_by_display_name on users (fold_case(display_name), id);
create index users_in_organization_by_display_name on users (organization_id, fold_case(display_name), id);
create index users_by_part_of_name on users
  using gin (fold_case(preferred_login_name) gin_trgm_ops, fold_case(display_name) gin_trgm_ops);
create index users_by_words on users using gin (words);

create table projects (
  id identifier primary key,
  -- The owner; it never changes.
  organization_id identifier not null references organizations (id),
  name text collate "C" not null check (char_length(name) between 1 and 200),
  words tsvector not null generated always as (search_words(name)) stored,
  -- What other tables point at to prove who the owner is.
  unique (id, organization_id)
);
create index projects_by_organization on projects (organization_id, id);
create index projects_by_name on projects (fold_case(name), id);
create index projects_by_part_of_name on projects using gin (fold_case(name) gin_trgm_ops);
create index projects_by_words on projects using gin (words);

create table project_roles (
  project_id identifier not null references projects (id),
  key identifier not null,
  display_name text collate "C" not null check (char_length(display_name) <= 200),
  group_name text collate "C" not null check (char_length(group_name) <= 200),
  description text collate "C" not null default '' check (char_length(description) <= 500),
  primary key (project_id, key)
);
create index project_roles_by_key on project_roles (fold_case(key));
create index project_roles_by_part_of_key on project_roles using gin (fold_case(key) gin_trgm_ops);

create table project_grants (
  id identifier primary key,
  project_id identifier not null,
  -- The organization the project is granted to, never its owner.
  organization_id identifier not null references organizations (id),
  owner_id identifier not null,
  foreign key (project_id, owner_id) references projects (id, organization_id),
  check (organization_id <> owner_id),
  unique (project_id, organization_id),
  unique (id, project_id),
  unique (id, project_id, organization_id)
);
create index project_grants_by_organization on project_grants (organization_id, id);

-- The keys the organization of a grant may use.
create table project_grant_roles (
  project_grant_id identifier not null,
  project_id identifier not null,
  role_key identifier not null,
  primary key (project_grant_id, role_key),
  foreign key (project_grant_id, project_id) references project_grants (id, project_id) on delete cascade,
  foreign key (project_id, role_key) references project_roles (project_id, key)
);
create index project_grant_roles_by_role on project_grant_roles (project_id, role_key);
