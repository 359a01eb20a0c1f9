// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// fmt for who appends to a buffer (fmt::format_to). The template behind it, which is all of fmt, is
/// compiled in Format.cpp alone: each source would take 5 seconds for it.
#pragma once

#include <fmt/format.h>

extern template void fmt::detail::vformat_to(buffer<char> &, basic_string_view<char>, format_args,
                                             locale_ref);
