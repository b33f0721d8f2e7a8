-- Written by scripts/write-schema.ts; user_version 6.

CREATE TABLE blob (
  hash    text primary key not null,
  content blob not null
) strict;

CREATE TABLE document (
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

CREATE INDEX document_by_project on document (project_id);

CREATE TABLE effect (
  key        text primary key,
  task_id    text not null,
  name       text not null,
  data       text not null,
  created_at integer not null,
  attempts   integer not null default 0,
  done_at    integer
) strict, without rowid;

CREATE INDEX effect_open on effect (task_id, created_at) where done_at is null;

CREATE TABLE entity (
  kind    text not null,
  id      text not null,
  task_id text not null references task (id) on delete cascade,
  status  text not null,
  rev     integer not null,
  data    text not null,
  primary key (kind, id)
) strict;

CREATE INDEX entity_by_status on entity (kind, status, id);

CREATE INDEX entity_by_task on entity (task_id, kind, id);

CREATE TABLE inbox (
  seq             integer primary key autoincrement,
  key             text not null unique,
  task_id         text not null,
  name            text not null,
  data            text not null,
  created_at      integer not null,
  acknowledged_at integer,
  outcome         text
) strict;

CREATE INDEX inbox_open on inbox (task_id, seq) where acknowledged_at is null;

CREATE TABLE lease (
  task_id text primary key,
  owner   text not null,
  epoch   integer not null,
  until   integer not null
) strict, without rowid;

CREATE TABLE project (
  id         text primary key,
  root       text not null unique,
  hash       text not null,
  created_at text not null
) strict;

CREATE TABLE revision (
  path       text not null,
  rev        integer not null,
  kind       text not null,
  base       integer,
  content    blob,
  event      text,
  created_at text not null,
  primary key (path, rev)
) strict;

CREATE TABLE secret (
  scope      text not null,
  name       text not null,
  content    blob not null,
  created_at text not null,
  primary key (scope, name)
) strict, without rowid;

CREATE TABLE snapshot (
  id         text primary key,
  task_id    text not null,
  seq        integer not null,
  reason     text not null,
  data       text not null,
  created_at text not null,
  unique (task_id, seq)
) strict;

CREATE TABLE task (
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

CREATE INDEX task_announced on task (
  project_id,
  coalesce(data ->> '$.completedAt', data ->> '$.failedAt', updated_at),
  id
) where status in ('completed', 'failed') and data ->> '$.kept.removedAt' is null
  and data ->> '$.kept.removeAt' is not null;

CREATE INDEX task_by_project on task (project_id, workflow, status);

CREATE INDEX task_by_status on task (status, priority desc, queued_at);

CREATE INDEX task_kept on task (
  project_id,
  coalesce(data ->> '$.completedAt', data ->> '$.failedAt', updated_at),
  id,
  data ->> '$.kept.bytes',
  status,
  data ->> '$.kept.removedAt'
) where status in ('completed', 'failed') and data ->> '$.kept.removedAt' is null;

CREATE INDEX task_unmeasured on task (
  project_id,
  coalesce(data ->> '$.completedAt', data ->> '$.failedAt', updated_at),
  id
) where status in ('completed', 'failed') and data ->> '$.kept.bytes' is null;

CREATE TABLE timer (
  key     text primary key,
  task_id text not null,
  name    text not null,
  due_at  integer not null,
  data    text not null
) strict, without rowid;

CREATE INDEX timer_by_task on timer (task_id);

CREATE INDEX timer_due on timer (due_at);

CREATE TABLE transition (
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

CREATE TABLE transition_of_task (
  task_id text not null,
  seq     integer not null,
  primary key (task_id, seq)
) strict, without rowid;
