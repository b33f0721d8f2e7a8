// The limit of job 7: starts N commands as directly as the system allows, each in a session of its own
// with a pipe as its output, and ends when each of them has closed it.
// Usage: spawn N FOLDER COMMAND ARG...   “%” in an argument becomes FOLDER/<number>.
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

int main(int count, char **words) {
  int n = atoi(words[1]), i, j;
  int *ends = calloc(n, sizeof *ends);
  double began = now();
  for (i = 0; i < n; i++) {
    char **argv = calloc(count - 2, sizeof *argv), *folder;
    int pipes[2];
    pid_t pid;
    posix_spawnattr_t how;
    posix_spawn_file_actions_t files;
    if (asprintf(&folder, "%s/%d", words[2], i) < 0 || pipe2(pipes, O_CLOEXEC)) return 1;
    for (j = 3; j < count; j++) argv[j - 3] = strcmp(words[j], "%") ? words[j] : folder;
    posix_spawnattr_init(&how);
    posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSID);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, pipes[1], 1);
    posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
    if ((errno = posix_spawnp(&pid, argv[0], &files, &how, argv, environ))) return perror(argv[0]), 1;
    close(pipes[1]);
    ends[i] = pipes[0];
  }
  for (i = 0; i < n; i++) {
    char byte;
    while (read(ends[i], &byte, 1) > 0) continue;
  }
  printf("%f\n", now() - began);
  fflush(stdout);
  while (wait(NULL) > 0) continue;
  return 0;
}
