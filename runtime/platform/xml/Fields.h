// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The attributes of one element as texts, numbers and quantities. Each is checked where it is
/// read; errors name file, line and attribute.
#pragma once

#include "platform/Platform.h"
#include "platform/xml/Document.h"
#include "support/Number.h"

#include <cstdint>
#include <initializer_list>

namespace gnomon::platform::xml {

enum class Least : uint8_t { Zero, AboveZero };

class Fields {
public:
  using Names = std::initializer_list<std::string_view>;
  enum class Text : uint8_t { Refused, Allowed };
  /// Refuses attributes that are not in \p attributes, and elements inside that are not in
  /// \p children, and text inside.
  Fields(Document &document, Element element, Names attributes, Names children = {},
         Text text = Text::Refused);

  Element element() const { return element_; }
  [[noreturn]] void fail(const std::string &text) const { document_.fail(element_, text); }
  /// That something has no effect.
  void note(const std::string &text) { note(Note::Kind::Ignored, "", text); }
  void note(Note::Kind kind, const std::string &attribute, const std::string &text) {
    document_.note(element_, kind, attribute, text);
  }

  bool has(const char *attribute) const { return element_.attribute(attribute) != nullptr; }
  std::string text(const char *attribute) const;
  std::string text(const char *attribute, const char *fallback) const;
  double quantity(const char *attribute, Unit unit, Least least);
  double quantity(const char *attribute, Unit unit, Least least, double fallback);
  /// The attribute "speed": a speed, or a list of which "pstate" (0 by default) selects one.
  double speed();
  uint32_t cores() const;
  /// What the attribute \p attribute with \p value means, SPLITDUPLEX apart.
  Sharing sharing(const std::string &value) const;
  /// The attribute "radical": "0-99,120,130-139" as numbers.
  std::vector<uint64_t> radical() const;

private:
  void checkChildren(Names supported, Text text) const;

  Document &document_;
  Element element_;
};

} // namespace gnomon::platform::xml
