// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Copies of text: of as many bytes as `strlen` counts where they come from. No zero is among them, and the upper bytes of
/// an address are zeros: so no address is copied, whatever lies behind the text in the same structure.
#pragma once

namespace llvm {
class AnyMemTransferInst;
} // namespace llvm

namespace gnomon::pointsto {

bool copiesText(const llvm::AnyMemTransferInst &copy);

} // namespace gnomon::pointsto
