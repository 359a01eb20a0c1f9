/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifdef __cplusplus
extern "C" {
#endif
extern int counter;
int next(void);
#ifdef __cplusplus
}
#endif
static int inHeader = 3;
