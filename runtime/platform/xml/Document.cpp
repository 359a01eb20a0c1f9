// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The one reader of XML: no other file of the runtime knows pugixml.
#include "platform/xml/Document.h"

#include "support/Error.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <pugixml.hpp>

namespace gnomon::platform::xml {

namespace {
pugi::xml_node firstElement(pugi::xml_node node) {
  while (node && node.type() != pugi::node_element)
    node = node.next_sibling();
  return node;
}
bool isText(pugi::xml_node node) {
  return node.type() == pugi::node_pcdata || node.type() == pugi::node_cdata;
}
/// Where the words begin of a text that begins at \p offset of \p whole, maybe with blanks.
ptrdiff_t textBegin(std::string_view whole, ptrdiff_t offset) {
  const size_t word = whole.find_first_not_of(" \t\r\n", static_cast<size_t>(offset));
  return word == std::string_view::npos ? offset : static_cast<ptrdiff_t>(word);
}
} // namespace

std::string_view Attribute::name() const { return pugi::xml_attribute(handle_).name(); }
Attribute Attribute::next() const {
  return Attribute(pugi::xml_attribute(handle_).next_attribute().internal_object());
}

std::string_view Element::name() const { return pugi::xml_node(handle_).name(); }

const char *Element::attribute(const char *name) const {
  pugi::xml_attribute found = pugi::xml_node(handle_).attribute(name);
  return found ? found.value() : nullptr;
}

Attribute Element::firstAttribute() const {
  return Attribute(pugi::xml_node(handle_).first_attribute().internal_object());
}

Element Element::firstChild() const {
  return Element(firstElement(pugi::xml_node(handle_).first_child()).internal_object());
}

Element Element::next() const {
  return Element(firstElement(pugi::xml_node(handle_).next_sibling()).internal_object());
}

std::string Element::text() const {
  std::string text;
  for (pugi::xml_node child : pugi::xml_node(handle_).children())
    if (isText(child))
      text += child.value();
  return text;
}

bool Element::hasText() const {
  auto children = pugi::xml_node(handle_).children();
  return std::any_of(children.begin(), children.end(), isText);
}

ptrdiff_t Element::offset() const { return pugi::xml_node(handle_).offset_debug(); }

ptrdiff_t Element::textOffset() const {
  for (pugi::xml_node child : pugi::xml_node(handle_).children())
    if (isText(child))
      return child.offset_debug();
  return -1;
}

struct Document::Parsed {
  pugi::xml_document document;
};

Document::Document(const std::string &text, std::string file)
    : file_(std::move(file)), parsed_(std::make_unique<Parsed>()) {
  for (size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1))
    newlines_.push_back(static_cast<ptrdiff_t>(at));
  // The reader would take this byte for the file's end.
  if (const size_t zero = text.find('\0'); zero != std::string::npos)
    failAt(static_cast<ptrdiff_t>(zero), "not well-formed XML: a byte of value 0");
  // A fragment, so that the reader keeps what stands around the outermost element.
  pugi::xml_parse_result result = parsed_->document.load_buffer(
      text.data(), text.size(),
      pugi::parse_default | pugi::parse_fragment | pugi::parse_declaration, pugi::encoding_utf8);
  if (!result)
    failAt(result.offset, std::string("not well-formed XML: ") + result.description());
  checkOutermost(text);
}

void Document::checkOutermost(const std::string &text) const {
  pugi::xml_node outermost;
  for (pugi::xml_node node : parsed_->document.children()) {
    if (node.type() == pugi::node_declaration)
      checkEncoding(node.attribute("encoding").as_string("UTF-8"), text, node.offset_debug());
    if (node.type() == pugi::node_element && outermost)
      failAt(node.offset_debug(),
             fmt::format("a second outermost element '{}'; the first one begins in line {}",
                         node.name(), lineAt(outermost.offset_debug())));
    if (node.type() == pugi::node_element)
      outermost = node;
    else if (isText(node) && (outermost || parsed_->document.document_element()))
      failAt(textBegin(text, node.offset_debug()),
             outermost ? "text after the outermost element" : "text before the outermost element");
  }
  if (!outermost)
    failAt(static_cast<ptrdiff_t>(text.size()), "not well-formed XML: No document element found");
}

/// Names pass through as they stand, in UTF-8. Of the old encodings of one byte a letter, the half
/// that they share with it can be read.
void Document::checkEncoding(std::string_view name, std::string_view text, ptrdiff_t offset) const {
  std::string upper(name);
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](unsigned char letter) { return std::toupper(letter); });
  const bool plain = std::all_of(text.begin(), text.end(),
                                 [](char letter) { return static_cast<signed char>(letter) >= 0; });
  if (upper == "UTF-8" || upper == "UTF8" || upper == "US-ASCII" || upper == "ASCII" ||
      (plain && (upper.starts_with("ISO-8859-") || upper.starts_with("WINDOWS-125"))))
    return;
  failAt(offset,
         fmt::format("encoding '{}' is not supported; save the file as UTF-8", name.substr(0, 80)));
}

Document::~Document() = default;

Element Document::root() const {
  return Element(parsed_->document.document_element().internal_object());
}

int Document::lineAt(ptrdiff_t offset) const {
  if (offset < 0)
    return 0;
  auto before = std::lower_bound(newlines_.begin(), newlines_.end(), offset) - newlines_.begin();
  return 1 + static_cast<int>(before);
}

int Document::line(Element element) const { return lineAt(element.offset()); }

int Document::textLine(Element element) const { return lineAt(element.textOffset()); }

void Document::fail(Element element, const std::string &text) const {
  throw InputError(file_, line(element), text);
}

void Document::failAt(ptrdiff_t offset, const std::string &text) const {
  throw InputError(file_, lineAt(offset), text);
}

void Document::note(Element element, Note::Kind kind, const std::string &attribute,
                    const std::string &text) {
  notes_.push_back({kind, file_, line(element), attribute, text});
}

void Document::noteOnce(Element element, const std::string &text, Note::Kind kind) {
  if (std::find(once_.begin(), once_.end(), text) != once_.end())
    return;
  once_.push_back(text);
  note(element, kind, "", text);
}

} // namespace gnomon::platform::xml
