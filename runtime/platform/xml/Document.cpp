// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The one reader of XML: no other file of the runtime knows pugixml.
#include "platform/xml/Document.h"

#include "support/Error.h"

#include <algorithm>
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
  pugi::xml_parse_result result = parsed_->document.load_buffer(
      text.data(), text.size(), pugi::parse_default, pugi::encoding_utf8);
  if (!result)
    throw InputError(file_, lineAt(result.offset),
                     std::string("not well-formed XML: ") + result.description());
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
