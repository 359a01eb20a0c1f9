/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * For programs annotated for SimGrid's traces: the calls that SMPI programs make, which say nothing
 * to Gnomon.
 */
#pragma once

static inline void TRACE_smpi_set_category(const char *category) { (void)category; }
