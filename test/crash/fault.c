/*
 * Loaded before a program (LD_PRELOAD), counts its calls that change files below one folder, and
 * lets the N-th go wrong:
 *
 *   kill      the process dies before the call
 *   torn      half of a write, then the process dies
 *   short     half of a write, reported as such: what a disk does that is almost full
 *   brink     the same, and the next write finds no room: once. Node itself asks again after half a
 *             write, and tells of it only then
 *   eio       the call fails, once          eio-all     and all that follow
 *   enospc    as eio, with a full disk      enospc-all
 *   sync      an fsync or fdatasync fails, once
 *   nosync    fsync and fdatasync do nothing from the first call on: a planted fault
 *   slow      fsync and fdatasync take 60 ms each, from the first call on: an old or busy disk
 *   stop      the process is stopped before the call, until somebody lets it go on
 *
 * With FAULT_BOOT the process reads that file instead of the name of this boot: it ran before a
 * restart that never took place.
 *
 * A fault of writes (or syncs) only meets the first write (sync) from the N-th call on, so that a
 * number always means something although threads may change places.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

enum verdict { PASS, FAIL, HALF, HALF_THEN_DIE, SKIP };

static const char *below = "";
static size_t below_length;
static const char *fault = "none";
static long at;
static const char *boot;
static int log_handle = -1;
static atomic_long count;
static atomic_int done;

__attribute__((constructor)) static void begin(void) {
  const char *folder = getenv("FAULT_BELOW"), *which = getenv("FAULT"), *number = getenv("FAULT_AT");
  const char *log = getenv("FAULT_LOG");
  if (folder) below = folder;
  below_length = strlen(below);
  if (which) fault = which;
  if (number) at = atol(number);
  boot = getenv("FAULT_BOOT");
  if (log) log_handle = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

static int is_path(const char *path) {
  return below_length > 0 && path && strncmp(path, below, below_length) == 0;
}

static int is_handle(int handle) {
  char link[64], path[PATH_MAX];
  if (below_length == 0) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", handle);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  return is_path(path);
}

static int is(const char *name) { return strcmp(fault, name) == 0; }

static enum verdict fail(int code) {
  errno = code;
  return FAIL;
}

/* Only the first call that fits: another thread may ask at the same time. */
static int first(void) { return atomic_fetch_add(&done, 1) == 0; }

static enum verdict brink(void) {
  int before = atomic_fetch_add(&done, 1);
  return before == 0 ? HALF : before == 1 ? fail(ENOSPC) : PASS;
}

static enum verdict judge(const char *call) {
  long now = atomic_fetch_add(&count, 1) + 1;
  int is_write = strcmp(call, "write") == 0, is_sync = strcmp(call, "sync") == 0;
  /* dprintf does not come back through the write below. */
  if (log_handle >= 0) dprintf(log_handle, "%s\n", call);
  if (is("nosync")) return is_sync ? SKIP : PASS;
  if (is("slow") && is_sync) usleep(60 * 1000);
  if (at <= 0 || now < at) return PASS;
  if (is("eio-all")) return fail(EIO);
  if (is("enospc-all")) return fail(ENOSPC);
  if (is("torn")) return is_write && first() ? HALF_THEN_DIE : PASS;
  if (is("short")) return is_write && first() ? HALF : PASS;
  if (is("brink")) return is_write ? brink() : PASS;
  if (is("sync")) return is_sync && first() ? fail(EIO) : PASS;
  if (!first()) return PASS;
  if (is("kill")) kill(getpid(), SIGKILL);
  if (is("stop")) kill(getpid(), SIGSTOP);
  if (is("eio")) return fail(EIO);
  if (is("enospc")) return fail(ENOSPC);
  return PASS;
}

/* Declares `real`, the function of the C library that the one here stands before. */
#define REAL(type, name, ...)                                  \
  static type (*real)(__VA_ARGS__);                            \
  if (!real) real = (type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

static size_t half(size_t length) { return length > 1 ? length / 2 : length; }

#define WRITE(condition, call_with)                                        \
  enum verdict verdict = (condition) ? judge("write") : PASS;              \
  if (verdict == FAIL) return -1;                                          \
  if (verdict == PASS) return call_with(length);                           \
  ssize_t written = call_with(half(length));                               \
  if (verdict == HALF_THEN_DIE) kill(getpid(), SIGKILL);                   \
  return written

ssize_t write(int handle, const void *bytes, size_t length) {
  REAL(ssize_t, "write", int, const void *, size_t);
#define CALL(n) real(handle, bytes, n)
  WRITE(is_handle(handle), CALL);
#undef CALL
}

#define POSITIONED(name, offset_type)                                                   \
  ssize_t name(int handle, const void *bytes, size_t length, offset_type offset) {      \
    REAL(ssize_t, #name, int, const void *, size_t, offset_type);                       \
    WRITE(is_handle(handle), CALL_AT);                                                  \
  }
#define CALL_AT(n) real(handle, bytes, n, offset)
POSITIONED(pwrite, off_t)
POSITIONED(pwrite64, off64_t)

#define SYNC(name)                                               \
  int name(int handle) {                                         \
    REAL(int, #name, int);                                       \
    enum verdict verdict = is_handle(handle) ? judge("sync") : PASS; \
    if (verdict == FAIL) return -1;                              \
    return verdict == SKIP ? 0 : real(handle);                   \
  }
SYNC(fsync)
SYNC(fdatasync)

#define TRUNCATE(name, offset_type)                                     \
  int name(int handle, offset_type length) {                            \
    REAL(int, #name, int, offset_type);                                 \
    if (is_handle(handle) && judge("truncate") == FAIL) return -1;      \
    return real(handle, length);                                        \
  }
TRUNCATE(ftruncate, off_t)
TRUNCATE(ftruncate64, off64_t)

#define TWO_PATHS(name)                                            \
  int name(const char *from, const char *to) {                     \
    REAL(int, #name, const char *, const char *);                  \
    if (is_path(to) && judge(#name) == FAIL) return -1;            \
    return real(from, to);                                         \
  }
TWO_PATHS(rename)
TWO_PATHS(link)

int unlink(const char *path) {
  REAL(int, "unlink", const char *);
  if (is_path(path) && judge("unlink") == FAIL) return -1;
  return real(path);
}

int mkdir(const char *path, mode_t mode) {
  REAL(int, "mkdir", const char *, mode_t);
  if (is_path(path) && judge("mkdir") == FAIL) return -1;
  return real(path, mode);
}

#define OPEN(name)                                                                   \
  int name(const char *path, int flags, ...) {                                       \
    mode_t mode = 0;                                                                 \
    if (flags & (O_CREAT | O_TMPFILE)) {                                             \
      va_list rest;                                                                  \
      va_start(rest, flags);                                                         \
      mode = va_arg(rest, mode_t);                                                   \
      va_end(rest);                                                                  \
    }                                                                                \
    REAL(int, #name, const char *, int, ...);                                        \
    if ((flags & (O_CREAT | O_TRUNC)) && is_path(path) && judge("create") == FAIL)   \
      return -1;                                                                     \
    if (boot && strcmp(path, "/proc/sys/kernel/random/boot_id") == 0) path = boot;   \
    return real(path, flags, mode);                                                  \
  }
OPEN(open)
OPEN(open64)
