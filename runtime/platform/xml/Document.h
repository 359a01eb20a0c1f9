// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// An XML document as elements with attributes and line numbers. It hides the XML library, so that
/// the readers of this folder know only what a platform file means.
#pragma once

#include "platform/Platform.h"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace pugi {
struct xml_attribute_struct;
struct xml_node_struct;
} // namespace pugi

namespace gnomon::platform::xml {

/// One attribute of an element; false after the last one.
class Attribute {
public:
  explicit Attribute(pugi::xml_attribute_struct *handle) : handle_(handle) {}
  explicit operator bool() const { return handle_ != nullptr; }
  std::string_view name() const;
  Attribute next() const;

private:
  pugi::xml_attribute_struct *handle_;
};

/// An element, valid as long as its Document; false where there is none.
class Element {
public:
  Element() = default;
  explicit Element(pugi::xml_node_struct *handle) : handle_(handle) {}
  explicit operator bool() const { return handle_ != nullptr; }

  std::string_view name() const;
  /// Null when there is no such attribute.
  const char *attribute(const char *name) const;
  Attribute firstAttribute() const;
  /// The first element inside this one, and the next one beside it.
  Element firstChild() const;
  Element next() const;
  /// The text that stands directly inside.
  std::string text() const;
  bool hasText() const;
  /// Where it begins, in bytes.
  ptrdiff_t offset() const;
  /// Where the text inside begins, in bytes; below zero when there is none.
  ptrdiff_t textOffset() const;

  /// The elements inside, for a range-based `for`.
  class Children {
  public:
    class Iterator;
    explicit Children(Element first);
    Iterator begin() const;
    Iterator end() const;

  private:
    pugi::xml_node_struct *first_;
  };
  Children children() const;

private:
  pugi::xml_node_struct *handle_ = nullptr;
};

class Element::Children::Iterator {
public:
  explicit Iterator(Element at) : at_(at) {}
  Element operator*() const { return at_; }
  Iterator &operator++() {
    at_ = at_.next();
    return *this;
  }
  bool operator!=(const Iterator &other) const { return at_.handle_ != other.at_.handle_; }

private:
  Element at_;
};

inline Element::Children::Children(Element first) : first_(first.handle_) {}
inline Element::Children::Iterator Element::Children::begin() const {
  return Iterator(Element(first_));
}
inline Element::Children::Iterator Element::Children::end() const { return Iterator(Element()); }
inline Element::Children Element::children() const { return Children(firstChild()); }

/// A parsed file, and what is to be said about it.
class Document {
public:
  /// Throws InputError when \p text is not well-formed.
  Document(const std::string &text, std::string file);
  ~Document();

  Element root() const;
  const std::string &file() const { return file_; }
  /// Line of an element, from 1; O(log lines).
  int line(Element element) const;
  /// Line at which the text inside an element begins.
  int textLine(Element element) const;
  [[noreturn]] void fail(Element element, const std::string &text) const;

  /// Something the user should know though the file is accepted; \p attribute may be empty.
  void note(Element element, Note::Kind kind, const std::string &attribute,
            const std::string &text);
  /// Such a thing said once a file, at its first place.
  void noteOnce(Element element, const std::string &text, Note::Kind kind = Note::Kind::Ignored);
  std::vector<Note> takeNotes() { return std::move(notes_); }

private:
  struct Parsed;
  int lineAt(ptrdiff_t offset) const;
  [[noreturn]] void failAt(ptrdiff_t offset, const std::string &text) const;
  /// There is one outermost element, and nothing around it but comments and the like.
  void checkOutermost(const std::string &text) const;
  void checkEncoding(std::string_view name, std::string_view text, ptrdiff_t offset) const;

  std::string file_;
  std::unique_ptr<Parsed> parsed_;
  std::vector<ptrdiff_t> newlines_; ///< where they stand
  std::vector<Note> notes_;
  std::vector<std::string> once_;
};

} // namespace gnomon::platform::xml
