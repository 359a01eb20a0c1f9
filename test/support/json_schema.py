# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Validates JSON against the schemas that Gnomon installs (share/gnomon/schema), in Python's standard library.

It knows the part of JSON Schema that they use, and refuses a schema with any other keyword: what is not checked must not
stand there. Whoever makes a run with `--json FILE` calls written(); whoever reads a JSON from elsewhere calls validate().
"""

import json
import os
import pathlib

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}
KNOWN = {"$schema", "title", "description", "type", "const", "enum", "minimum", "maximum", "items", "properties", "required",
         "additionalProperties"}


class Invalid(AssertionError):
    """The JSON is not what the schema says; the text names the place."""


class BadSchema(Exception):
    """The schema itself says what this validator does not know."""


def is_of(value, name):
    if name in ("integer", "number"):
        kinds = int if name == "integer" else (int, float)
        return isinstance(value, kinds) and not isinstance(value, bool)
    if name not in TYPES:
        raise BadSchema(f"unknown type '{name}'")
    return isinstance(value, TYPES[name])


def check_object(value, schema, place):
    properties, more = schema.get("properties", {}), schema.get("additionalProperties", True)
    for key in schema.get("required", []):
        if key not in value:
            yield f"{place}: '{key}' is missing"
    for key, member in value.items():
        if key in properties:
            yield from errors(member, properties[key], f"{place}.{key}")
        elif isinstance(more, dict):
            yield from errors(member, more, f"{place}.{key}")
        elif not more:
            yield f"{place}: '{key}' is not in the schema"


def errors(value, schema, place="$"):
    """What is wrong with `value`, a sentence each."""
    if unknown := set(schema) - KNOWN:
        raise BadSchema(f"{place}: unknown keywords {sorted(unknown)}")
    types = schema.get("type", [])
    types = [types] if isinstance(types, str) else types
    if types and not any(is_of(value, name) for name in types):
        yield f"{place}: {value!r} is no {' or '.join(types)}"
        return
    # In JSON true is not 1.
    if "const" in schema and (value != schema["const"] or isinstance(value, bool) != isinstance(schema["const"], bool)):
        yield f"{place}: {value!r} is not {schema['const']!r}"
    if "enum" in schema and value not in schema["enum"]:
        yield f"{place}: {value!r} is none of {schema['enum']}"
    if is_of(value, "number") and not schema.get("minimum", value) <= value <= schema.get("maximum", value):
        yield f"{place}: {value!r} is out of range"
    if isinstance(value, dict):
        yield from check_object(value, schema, place)
    if isinstance(value, list) and "items" in schema:
        for index, item in enumerate(value):
            yield from errors(item, schema["items"], f"{place}[{index}]")


def refuse_constant(name):
    raise Invalid(f"{name} is no JSON")


def validate(text, name, prefix=None):
    """The value of `text`, which must be JSON as share/gnomon/schema/`name`.json of the prefix has it."""
    prefix = pathlib.Path(prefix or os.environ["GNOMON_PREFIX"])
    schema = json.loads((prefix / "share/gnomon/schema" / f"{name}.json").read_text())
    value = json.loads(text, parse_constant=refuse_constant)
    if found := list(errors(value, schema)):
        raise Invalid("\n".join(found))
    return value


OPTIONS = {"--json": "run", "--record-profile": "profile"}


def written(command, directory=".", prefix=None):
    """Validates what the finished `command`, a `gnomon run` in `directory`, has written for the options above."""
    words = [str(word) for word in command]
    for index, word in enumerate(words):
        option, equals, file = word.partition("=")
        if option not in OPTIONS:
            continue
        path = pathlib.Path(directory, file if equals else words[index + 1])
        if path.is_file():
            try:
                validate(path.read_text(), OPTIONS[option], prefix)
            except ValueError as error:
                raise Invalid(f"{path}: {error}") from error
