// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Yes and no as users write them. Each place keeps its own words and its own error.
#pragma once

#include <initializer_list>
#include <optional>
#include <string_view>

namespace gnomon {

using Words = std::initializer_list<std::string_view>;

/// Whether \p value is a word for yes or for no; nothing when it is neither. The default words are
/// those of `--set` and `<config>`.
std::optional<bool> yesOrNo(std::string_view value, Words yes = {"yes", "on", "true", "1"},
                            Words no = {"no", "off", "false", "0"});

} // namespace gnomon
