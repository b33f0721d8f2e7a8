// Every run of a workflow is a row of `task`; what belongs to it and changes on its own (agents,
// processes, attempts, questions, reviews, claims) a row of `entity`. Units live in documents.
//
// Times are ISO 8601 texts where people read them, milliseconds where code compares them.
export default /* sql */ `
create table project (
  id         text primary key,
  root       text not null unique,
  hash       text not null,
  created_at text not null
) strict;

create table task (
  id         text primary key,
  project_id text not null references project (id),
  workflow   text not null,
  status     text not null,
  priority   integer not null default 0,
  queued_at  integer,
  archived   integer not null default 0,
  retry_of   text,
  rev        integer not null,
  data       text not null,
  created_at text not null,
  updated_at text not null
) strict;
create index task_by_status on task (status, priority desc, queued_at);
create index task_by_project on task (project_id, created_at);

create table entity (
  kind    text not null,
  id      text not null,
  task_id text not null references task (id) on delete cascade,
  status  text not null,
  rev     integer not null,
  data    text not null,
  primary key (kind, id)
) strict, without rowid;
create index entity_by_task on entity (task_id, kind);
create index entity_by_status on entity (kind, status);

-- The journal (S1.21). Never updated, never deleted with its task: so the highest number is the
-- newest, and autoincrement, which writes one more page with each transition, is not needed.
create table transition (
  seq        integer primary key,
  timestamp  text not null,
  task_id    text not null,
  machine    text not null,
  entity_id  text not null,
  from_state text not null,
  to_state   text not null,
  trigger    text not null,
  metadata   text not null
) strict;

-- Which transitions are a task's, entered in blocks (_sqlite-journal.ts): an index would write a page
-- for each task of a batch, and made up to a third of the time of 10 or 200 callers at once.
create table transition_of_task (
  task_id text not null,
  seq     integer not null,
  primary key (task_id, seq)
) strict, without rowid;

-- What was decided and has to be done at least once; done ones are kept until swept.
create table effect (
  key        text primary key,
  task_id    text not null,
  name       text not null,
  data       text not null,
  created_at integer not null,
  attempts   integer not null default 0,
  done_at    integer
) strict, without rowid;
create index effect_open on effect (task_id, created_at) where done_at is null;

create table timer (
  key     text primary key,
  task_id text not null,
  name    text not null,
  due_at  integer not null,
  data    text not null
) strict, without rowid;
create index timer_due on timer (due_at);
create index timer_by_task on timer (task_id);

-- What people and other processes send to the owner of a task; acknowledged with the outcome.
create table inbox (
  seq             integer primary key autoincrement,
  key             text not null unique,
  task_id         text not null,
  name            text not null,
  data            text not null,
  created_at      integer not null,
  acknowledged_at integer,
  outcome         text
) strict;
create index inbox_open on inbox (task_id, seq) where acknowledged_at is null;

create table lease (
  task_id text primary key,
  owner   text not null,
  epoch   integer not null,
  until   integer not null
) strict, without rowid;

-- The last published revision of a file: checksums before and after, and who wrote it when.
create table document (
  path       text primary key,
  project_id text not null,
  task_id    text,
  format     text not null,
  rev        integer not null,
  before     text,
  after      text,
  token      text not null,
  boot       text not null,
  updated_at text not null
) strict, without rowid;
create index document_by_project on document (project_id);

-- Every revision, enough to write it again: whole, or as the difference to the one before.
create table revision (
  path       text not null,
  rev        integer not null,
  kind       text not null,
  base       integer,
  content    blob,
  event      text,
  created_at text not null,
  primary key (path, rev)
) strict, without rowid;

create table snapshot (
  id         text primary key,
  task_id    text not null,
  seq        integer not null,
  reason     text not null,
  data       text not null,
  created_at text not null,
  unique (task_id, seq)
) strict;

create table blob (
  hash    text primary key,
  content blob not null
) strict, without rowid;

create table secret (
  scope      text not null,
  name       text not null,
  content    blob not null,
  created_at text not null,
  primary key (scope, name)
) strict, without rowid;
`;
