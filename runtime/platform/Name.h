// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The name of a host or a link in 16 bytes. The names of a cluster's parts differ in nothing but a
/// number and share the rest ("node-", 17, ".grid"), so that a million of them take no text each.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace gnomon::platform {

/// Copies share their text; not to be copied by several threads at once.
class Name {
public:
  Name() = default; ///< empty
  Name(std::string_view text) : form_(make(text, {}, false)) {}
  Name(const std::string &text) : Name(std::string_view(text)) {}
  Name(const char *text) : Name(std::string_view(text)) {}
  /// \p before, a number, which is 0 until withNumber() gives another, and \p after.
  Name(std::string_view before, std::string_view after) : form_(make(before, after, true)) {}
  Name withNumber(uint64_t number) const {
    Name name(*this);
    name.number_ = number;
    return name;
  }

  Name(const Name &other) : form_(other.form_), number_(other.number_) {
    if (form_)
      ++form_->owners;
  }
  Name(Name &&other) noexcept
      : form_(std::exchange(other.form_, nullptr)), number_(std::exchange(other.number_, 0)) {}
  Name &operator=(Name other) noexcept {
    std::swap(form_, other.form_);
    std::swap(number_, other.number_);
    return *this;
  }
  ~Name() {
    if (form_ && --form_->owners == 0)
      free(form_);
  }

  std::string str() const;
  operator std::string() const { return str(); }
  bool operator==(const Name &other) const {
    return (form_ == other.form_ && number_ == other.number_) || reads(other.str());
  }
  template <std::convertible_to<std::string_view> Text> bool operator==(const Text &text) const {
    return reads(text);
  }

private:
  static constexpr uint32_t NoNumber = UINT32_MAX;
  /// Before the characters of the text.
  struct Form {
    uint32_t owners;
    uint32_t size;
    uint32_t numberAt; ///< how many characters stand before the number; NoNumber: there is none
    std::string_view text() const;
  };
  bool reads(std::string_view text) const;
  static Form *make(std::string_view before, std::string_view after, bool numbered);
  static void free(Form *form);

  Form *form_ = nullptr;
  uint64_t number_ = 0;
};
static_assert(sizeof(Name) == 16);

} // namespace gnomon::platform
