// Tables whose rows may be large get rowids. In one without, all of a row lies in the tree of the keys, and
// SQLite reads every row that a search passes from end to end, all of its pages: among some revisions of
// a large document one more took a millisecond, whatever its own size (docs/adr/0010).
export default /* sql */ `
alter table revision rename to revision_before;
create table revision (
  path       text not null,
  rev        integer not null,
  kind       text not null,
  base       integer,
  content    blob,
  event      text,
  created_at text not null,
  primary key (path, rev)
) strict;
insert into revision (path, rev, kind, base, content, event, created_at)
  select path, rev, kind, base, content, event, created_at from revision_before order by path, rev;
drop table revision_before;

alter table blob rename to blob_before;
create table blob (
  hash    text primary key not null,
  content blob not null
) strict;
insert into blob (hash, content) select hash, content from blob_before;
drop table blob_before;

alter table entity rename to entity_before;
create table entity (
  kind    text not null,
  id      text not null,
  task_id text not null references task (id) on delete cascade,
  status  text not null,
  rev     integer not null,
  data    text not null,
  primary key (kind, id)
) strict;
insert into entity (kind, id, task_id, status, rev, data)
  select kind, id, task_id, status, rev, data from entity_before;
drop table entity_before;
create index entity_by_task on entity (task_id, kind);
create index entity_by_status on entity (kind, status);
`;
