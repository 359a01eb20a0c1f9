/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How many threads the process has. */
#pragma once
#include <dirent.h>

static int tasks(void) {
  int count = 0;
  DIR *all = opendir("/proc/self/task");
  for (struct dirent *entry; all && (entry = readdir(all));)
    count += entry->d_name[0] != '.';
  if (all)
    closedir(all);
  return count;
}
