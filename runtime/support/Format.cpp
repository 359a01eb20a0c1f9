// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fmt's own code, compiled once for all that links this room. Nothing of fmt is linked, since the runtime lives inside
// the user's process; and header-only, each source that formats a message would compile it anew, which takes 5 seconds.
#include "support/Format.h"

#include <fmt/format-inl.h>

namespace fmt::detail {

// What fmt/format.h declares as instantiated elsewhere.
template auto thousands_sep_impl<char>(locale_ref) -> thousands_sep_result<char>;
template auto thousands_sep_impl<wchar_t>(locale_ref) -> thousands_sep_result<wchar_t>;
template auto decimal_point_impl(locale_ref) -> char;
template auto decimal_point_impl(locale_ref) -> wchar_t;

template void vformat_to(buffer<char> &, basic_string_view<char>, format_args, locale_ref);

} // namespace fmt::detail
