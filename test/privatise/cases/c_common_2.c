/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * The other unit of c_common_1.c. */
int block[100];
_Alignas(64) char mixed[64];
void setOther(int me) { block[99] = me * 3; }
long fromOther(int i) { return block[i]; }
