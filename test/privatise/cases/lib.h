/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * A library with state, linked once as an archive and once as a shared object. */
#pragma once
#ifdef __cplusplus
extern "C" {
#endif
extern int libraryCounter;  /* defined in the library, used by the program */
extern int programVariable; /* defined in the program, used by the library */
extern int bothDefine;      /* weak in both */
extern int *const libraryPointer;
int libraryNext(void);
int *libraryCounterAddress(void);
int libraryReadsProgram(void);
int *libraryBothAddress(void);
void libraryReset(int value);
#ifdef __cplusplus
}
#endif
