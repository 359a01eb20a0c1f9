/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * The program of a replay: libgnomon with a main (launch/Main.cpp). */
int gnomon_replay(int argc, char **argv, char **envp);

int main(int argc, char **argv, char **envp) { return gnomon_replay(argc, argv, envp); }
