// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/Name.h"

#include <algorithm>
#include <new>

namespace gnomon::platform {

std::string_view Name::Form::text() const {
  return {reinterpret_cast<const char *>(this + 1), size};
}

Name::Form *Name::make(std::string_view before, std::string_view after, bool numbered) {
  const size_t size = before.size() + after.size();
  void *place = ::operator new(sizeof(Form) + size);
  Form *form =
      ::new (place) Form{.owners = 1,
                         .size = static_cast<uint32_t>(size),
                         .numberAt = numbered ? static_cast<uint32_t>(before.size()) : NoNumber};
  std::ranges::copy(after, std::ranges::copy(before, reinterpret_cast<char *>(form + 1)).out);
  return form;
}

void Name::free(Form *form) { ::operator delete(form); }

std::string Name::str() const {
  if (!form_)
    return {};
  std::string text(form_->text());
  if (form_->numberAt != NoNumber)
    text.insert(form_->numberAt, std::to_string(number_));
  return text;
}

bool Name::reads(std::string_view text) const { return str() == text; }

} // namespace gnomon::platform
