// Indexes that keep a call as fast with 50,000 ended tasks as with 500.
//
// An index that lacks the last column of the ORDER BY loses against the primary key, which has the right
// order: the agents of one state were found by reading every agent there ever was.
//
// A run is looked for by its project, workflow and state; no question asks for a project's tasks by date.
//
// The other three serve retention. They hold ended tasks only, so that a task at work never pays for them.
// The last columns of task_kept are those of its own condition: with them, sizes are added up from the
// index alone.
export default /* sql */ `
drop index entity_by_status;
create index entity_by_status on entity (kind, status, id);
drop index entity_by_task;
create index entity_by_task on entity (task_id, kind, id);
drop index task_by_project;
create index task_by_project on task (project_id, workflow, status);

create index task_kept on task (
  project_id,
  coalesce(data ->> '$.completedAt', data ->> '$.failedAt', updated_at),
  id,
  data ->> '$.kept.bytes',
  status,
  data ->> '$.kept.removedAt'
) where status in ('completed', 'failed') and data ->> '$.kept.removedAt' is null;
create index task_unmeasured on task (
  project_id,
  coalesce(data ->> '$.completedAt', data ->> '$.failedAt', updated_at),
  id
) where status in ('completed', 'failed') and data ->> '$.kept.bytes' is null;
create index task_announced on task (
  project_id,
  coalesce(data ->> '$.completedAt', data ->> '$.failedAt', updated_at),
  id
) where status in ('completed', 'failed') and data ->> '$.kept.removedAt' is null
  and data ->> '$.kept.removeAt' is not null;
`;
