/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Intent: an argument that the plugin does not know is an error that lists those it knows. UnknownArgument
 * RUN: not %plugin_clang -fplugin-arg-gnomon-warn -fsyntax-only %s 2>&1 | FileCheck %s
 * CHECK: error: unknown argument 'warn' to the gnomon plugin; known: no-warnings, remarks, statics
 */
int main(void) { return 0; }
