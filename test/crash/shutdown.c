/*
 * Cuts the power of a file system: `shutdown <folder>`. Nothing that is not on the disk yet gets
 * there any more, not even the journal (FS_IOC_SHUTDOWN with NOLOGFLUSH; ext4, XFS, F2FS).
 */
#include <fcntl.h>
#include <linux/ioctl.h>
#include <linux/types.h>
#include <stdio.h>
#include <sys/ioctl.h>

#define SHUTDOWN _IOR('X', 125, __u32)
#define NO_LOG_FLUSH 2

int main(int count, char **words) {
  __u32 how = NO_LOG_FLUSH;
  int folder = count == 2 ? open(words[1], O_RDONLY | O_DIRECTORY) : -1;
  if (folder >= 0 && ioctl(folder, SHUTDOWN, &how) == 0) return 0;
  perror("shutdown");
  return 1;
}
