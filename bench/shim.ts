// A library loaded before a process: counts its syncs, renames and opened files, and makes each sync slower
// by a fixed time, so that a slow disk is the same on every machine.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
/** On the disk that is measured, not in /tmp, which may be memory. */
export const cache = join(root, "node_modules", ".cache");

/**
 * Runs a TypeScript file under it, with a folder of its own as argument, and returns the JSON of its
 * last line; what it says before is shown. Undefined, and told, where there is no C compiler.
 */
// oxlint-disable-next-line no-unnecessary-type-parameters -- names what the answer is said to be
export function underShim<T>(job: string, file: string, microseconds = 0): T | undefined {
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, `bench-${job}-shim-`));
  try {
    const shim = shimIn(job, folder, microseconds);
    if (shim === undefined) return undefined;
    const child = spawnSync(process.execPath, [join(root, "scripts/run-ts.mjs"), file, folder], {
      env: { ...process.env, ...shim },
      encoding: "utf8",
      maxBuffer: 1 << 26,
    });
    if (child.status !== 0) throw new Error(`${file} failed under the shim: ${child.stderr}`);
    const lines = child.stdout.trimEnd().split("\n");
    const answer = JSON.parse(lines.pop() ?? "") as T;
    if (lines.length > 0) console.log(lines.join("\n"));
    return answer;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What a process is given to run under it; its counts lie in this folder, and begin with nothing. */
export function shimIn(
  job: string,
  folder: string,
  microseconds = 0,
): Readonly<Record<string, string>> | undefined {
  const library = join(folder, "shim.so");
  const build = ["-x", "c", "-shared", "-fPIC", "-o", library, "-", "-ldl"];
  if (!existsSync(library) && spawnSync("cc", build, { input: source }).status !== 0) {
    console.log(
      `\n${job}: SKIPPED no C compiler (cc): neither counted nor measured on a slow disk`,
    );
    return undefined;
  }
  writeFileSync(join(folder, "counts"), Buffer.alloc(24));
  return {
    LD_PRELOAD: library,
    SHIM_COUNTS: join(folder, "counts"),
    SHIM_MICROSECONDS: String(microseconds),
  };
}

export interface Counts {
  readonly syncs: number;
  readonly renames: number;
  readonly opens: number;
}

/**
 * How many so far, of a process under it; not of the programs that it starts, unless they are Node, too. What it
 * opens of other processes depends on how many there are, and is not counted.
 */
export function countsIn(folder: string): Counts {
  const page = readFileSync(join(folder, "counts"));
  const [syncs = 0, renames = 0, opens = 0] = [0, 8, 16].map((at) =>
    Number(page.readBigInt64LE(at)),
  );
  return { syncs, renames, opens };
}

// --- internal ---

/** Counts in a file that the process itself can read, so that each part has its own count. */
const source = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
static long *counts;
static long slower;
__attribute__((constructor)) static void begin(void) {
  slower = atol(getenv("SHIM_MICROSECONDS"));
  if (strcmp(program_invocation_short_name, "node") != 0) return;
  int fd = open(getenv("SHIM_COUNTS"), O_RDWR);
  void *page = fd < 0 ? MAP_FAILED : mmap(0, 24, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (page != MAP_FAILED) counts = page;
}
static int synced(const char *name, int fd) {
  int (*real)(int) = dlsym(RTLD_NEXT, name);
  if (counts) __sync_fetch_and_add(&counts[0], 1);
  if (slower > 0) usleep(slower);
  return real(fd);
}
static int opened(const char *name, const char *path, int flags, mode_t mode) {
  int (*real)(const char *, int, ...) = dlsym(RTLD_NEXT, name);
  if (counts && strncmp(path, "/proc/", 6) != 0) __sync_fetch_and_add(&counts[2], 1);
  return real(path, flags, mode);
}
#define OPENS(name) int name(const char *path, int flags, ...) { \
  va_list more; va_start(more, flags); mode_t mode = va_arg(more, mode_t); va_end(more); \
  return opened(#name, path, flags, mode); }
OPENS(open) OPENS(open64)
int fsync(int fd) { return synced("fsync", fd); }
int fdatasync(int fd) { return synced("fdatasync", fd); }
int rename(const char *from, const char *to) {
  int (*real)(const char *, const char *) = dlsym(RTLD_NEXT, "rename");
  if (counts) __sync_fetch_and_add(&counts[1], 1);
  return real(from, to);
}
`;
