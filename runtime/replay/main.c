/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * The program of a replay: libgnomon with a main (launch/Main.cpp), and the record that the pass writes
 * into programs. It lies here, for the file that has it is a program's. */
#include "gnomon/Module.h"

int gnomon_replay(struct gnomon_module *player, int argc, char **argv, char **envp);

static intptr_t delta;
static uint32_t bursts_on;
static struct gnomon_module player = {
    .version = GNOMON_MODULE_VERSION,
    .flags = GNOMON_MODULE_USES_MPI,
    .name = "gnomon replay",
    .alignment = 64,
    .delta = &delta,
    .bursts_on = &bursts_on,
};

int main(int argc, char **argv, char **envp) { return gnomon_replay(&player, argc, argv, envp); }
