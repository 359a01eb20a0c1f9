# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads Gnomon's traces (docs/trace-format.md), with the standard library and libzstd.so.1.

    import gnomon_trace
    trace = gnomon_trace.Trace("lu.gtr")
    print(trace.program, trace.ranks, trace.complete, trace.count(rank=3))
    for record in trace.records(rank=3, first=1000):
        print(record.name, record.values)         # MPI_Send {'buf.count': 150, 'dest': 4, ...}

Reals are floats, lists are lists, texts are strings. A damaged file is a TraceError that names file and byte.
"""

import collections
import ctypes
import itertools
import os
import struct

MAGIC, END_MAGIC, VERSION = b"\x89GTRACE\n", b"GTRACE\x89\n", 2
HEAD, SECTION, TRAILER = 16, 32, 40  # bytes
KINDS = ("Number", "Count", "Size", "Peer", "Tag", "Comm", "Set", "Request", "Text", "Real")
PEER, TEXT, REAL, LIST = 3, 8, 9, 16
MOST_BYTES, MOST_VALUES, MOST_MEMBERS, MOST_DEPTH = 1 << 28, 1 << 23, 1 << 26, 32
MASK = (1 << 64) - 1

Field, Function = collections.namedtuple("Field", "name kind list"), collections.namedtuple("Function", "name fields")
Record = collections.namedtuple("Record", "name values")


class TraceError(Exception):
    pass


def cast(target, source, value):
    """The same bits as another type of struct's."""
    return struct.unpack("<" + target, struct.pack("<" + source, value))[0]


def decompress(data, size):
    zstd, out = ctypes.CDLL("libzstd.so.1"), ctypes.create_string_buffer(max(size, 1))
    if zstd.ZSTD_decompress(out, ctypes.c_size_t(size), data, ctypes.c_size_t(len(data))) != size:
        raise TraceError("the section cannot be decompressed")
    return out.raw[:size]


def xxh64(data):
    p1, p2, p3, p4, p5 = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5

    def rotated(x, n):
        return (x << n | x >> (64 - n)) & MASK

    def mix(lane, word):
        return rotated((lane + word * p2) & MASK, 31) * p1 & MASK
    at, end, x = 0, len(data), p5
    if end >= 32:
        lanes = [(p1 + p2) & MASK, p2, 0, -p1 & MASK]
        for at in range(0, end - 31, 32):
            lanes = [mix(lane, word) for lane, word in zip(lanes, struct.unpack_from("<4Q", data, at))]
        at, x = at + 32, sum(rotated(lane, n) for lane, n in zip(lanes, (1, 7, 12, 18))) & MASK
        for lane in lanes:
            x = ((x ^ mix(0, lane)) * p1 + p4) & MASK
    x = (x + end) & MASK
    while end - at >= 8:
        x, at = (rotated(x ^ mix(0, struct.unpack_from("<Q", data, at)[0]), 27) * p1 + p4) & MASK, at + 8
    if at + 4 <= end:
        x, at = (rotated(x ^ struct.unpack_from("<I", data, at)[0] * p1 & MASK, 23) * p2 + p3) & MASK, at + 4
    for byte in data[at:]:
        x = rotated(x ^ byte * p5 & MASK, 11) * p1 & MASK
    x = (x ^ x >> 33) * p2 & MASK
    x = (x ^ x >> 29) * p3 & MASK
    return x ^ x >> 32


class Bytes:
    """Bytes that are taken from the front."""
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, count):
        if count > len(self.data) - self.at:
            raise TraceError("the data end too early")
        self.at += count
        return self.data[self.at - count:self.at]

    def varint(self, most=MASK):
        value = shift = 0
        byte = 0x80
        while byte >= 0x80 and shift < 70:
            byte = self.take(1)[0]
            value |= (byte & 0x7F) << shift
            shift += 7
        if value > most or byte >= 0x80:
            raise TraceError(f"a number is {value}, and at most {most} is possible")
        return value

    def signed(self):
        number = self.varint()
        return (number >> 1) ^ -(number & 1)

    def count(self):  # of things that take a byte each at least
        return self.varint(len(self.data) - self.at)

    def text(self):
        return self.take(self.varint()).decode(errors="surrogateescape")

    def references(self):
        """Places, sizes and records of sections."""
        end, found = 0, []
        for _ in range(self.count()):
            found.append((end + self.signed(), self.varint(), self.varint()))
            end = found[-1][0] + found[-1][1]
        return found

    def value(self, kind, expected):
        if kind != REAL:
            return cast("q", "Q", self.signed() + expected & MASK)
        coded = self.varint()
        number, tag = (coded >> 3) ^ -(coded >> 2 & 1), coded & 3
        if tag < 2:
            like, base = form(expected)
            number = cast("q", "Q", number + (base if like == tag else 0) & MASK)
            return cast("q", "d", number / (1, 1e9)[tag])
        if coded != 2:
            raise TraceError("a real number has an unknown form")
        return int.from_bytes(self.take(8), "little", signed=True)

    def list(self, kind, like):
        length = cast("q", "Q", self.signed() + len(like) & MASK)
        if not 0 <= length <= MOST_VALUES:
            raise TraceError(f"a list has {length} elements")
        values = [0]
        for i in range(length):
            values.append(self.value(kind, like[i] if i < len(like) else values[-1]))
        return values[1:]


def form(bits):
    """How a double is written: (0, n), (1, n) or (2, 0)."""
    value = cast("d", "q", bits)
    for tag, scale in ((0, 1), (1, 1e9)):
        if abs(value * scale) < 2.0 ** 53:
            number = round(value * scale) if tag else int(value)
            if cast("q", "d", number / scale) == bits:
                return tag, number
    return 2, 0


class Block:
    """Items: (function, values) of a record, or (None, turns, items) of a loop; peers are relative. Nodes: an item, how many nodes
    are in it, how deep."""
    def __init__(self, data, kinds):
        head = Bytes(data)
        self.kinds, self.last, self.alike, self.before, self.nodes = kinds, {}, {}, (None, None), []
        items, _, self.left = head.varint(), head.varint(), head.varint(MOST_VALUES)
        self.shapes = [(head.varint(), head.varint()) for _ in range(head.count())]
        sizes, names = [head.varint()], {}
        for function, mask in self.shapes:
            for field in range(len(kinds[function])):
                if mask >> field & 1 and (function, field) not in names:
                    names[function, field] = None
                    sizes.append(head.varint())
        self.codes, *streams = [Bytes(head.take(size)) for size in sizes]
        self.streams = dict(zip(names, streams))
        self.items = self.read_items(items, 0)

    def read_items(self, count, depth):
        items = []
        while len(items) < count:
            code, place = self.codes.varint(len(self.shapes)), len(self.nodes)
            if code == 0 and (turns := self.codes.varint()) == 0:
                items += self.copied(self.codes.varint(place), self.codes.varint(), depth)
                continue
            self.nodes.append(None)
            if code > 0:
                items.append(self.read_record(*self.shapes[code - 1]))
            elif (inner := self.codes.varint()) == 0 or depth == MOST_DEPTH:
                raise TraceError("a loop is empty, or too deep")
            else:
                items.append((None, turns, self.read_items(inner, depth + 1)))
            within = self.nodes[place + 1:]
            self.nodes[place] = items[-1], len(within), 1 + max(node[2] for node in within) if within else 0
        if len(items) > count:
            raise TraceError("a copy has other items than are left")
        return items

    def copied(self, distance, count, depth):
        """The items of `count` nodes that stood `distance` nodes before."""
        begin = len(self.nodes) - distance
        nodes, items, at = self.nodes[begin:begin + count], [], 0
        while at < len(nodes) == count and nodes[at] and depth + nodes[at][2] <= MOST_DEPTH:
            items.append(nodes[at][0])
            at += 1 + nodes[at][1]
        if at != count or count == 0:
            raise TraceError("a copy has a part of a loop, or is too deep")
        for item in [node[0] for node in nodes if node[0][0] is not None]:
            self.before = item[0], self.before[0]
        self.nodes += nodes
        return items

    def read_record(self, function, mask):
        context = (function, *self.before)
        like = self.last.get(context) or self.alike.get(function)
        values = []
        for field, (kind, is_list, _) in enumerate(self.kinds[function]):
            value = like[field] if like else [] if is_list else 0
            if mask >> field & 1:
                stream = self.streams[function, field]
                value = stream.list(kind, value) if is_list else stream.value(kind, value)
            values.append(value)
            self.left -= len(value) + 1 if is_list else 1
        if self.left < 0:
            raise TraceError("a block has more values than it says")
        self.last[context], self.alike[function], self.before = values, values, (function, self.before[0])
        return function, values

    def unrolled(self, items):
        for item in items:
            for _ in range(1 if item[0] is not None else item[1]):
                yield from [item] if item[0] is not None else self.unrolled(item[2])


class Trace:
    """ranks, complete, seconds_per_flop, program, origin; functions, strings, communicators (members, remote), sets."""
    def __init__(self, path):
        self.path, self.cached = os.fspath(path), (None, None)
        self.file = open(path, "rb")
        self.size = os.fstat(self.file.fileno()).st_size
        self.read_ends()

    def fail(self, place, what):
        raise TraceError(f"{self.path}: byte {place}: {what}")

    def section(self, kind, reference, parse):
        place, size, records = reference
        if place < HEAD or size < SECTION or place + size > self.size:
            self.fail(place, "there is no section")
        self.file.seek(place)
        data = self.file.read(size)
        check, name, stored, full, _, count = struct.unpack("<Q4sIIIQ", data[:SECTION])
        if check != xxh64(data[8:]) or name != kind or stored != size - SECTION or full > MOST_BYTES or count != records:
            self.fail(place, f"the checksum differs, or there is no {kind.decode()}; the file is damaged")
        try:
            return parse(data[SECTION:] if stored == full else decompress(data[SECTION:], full))
        except (TraceError, IndexError) as error:
            self.fail(place, error)

    def read_ends(self):
        head = self.file.read(HEAD)
        if not head or not MAGIC.startswith(head[:8]):
            self.fail(0, "this is no trace of Gnomon")
        self.file.seek(max(self.size - TRAILER, min(HEAD, self.size)))
        trailer = self.file.read()
        if len(trailer) < TRAILER or not trailer.endswith(END_MAGIC):
            self.fail(self.size, "the recording was cut short, or the file damaged")
        version, self.world = struct.unpack("<II", head[8:])
        if not 1 <= version <= VERSION:
            self.fail(8, f"this is a trace of version {version}, and 1 to {VERSION} are known here")
        check, tables, index, size = struct.unpack("<QQQQ", trailer[:32])
        if check != xxh64(head + trailer[8:]) or size != self.size:
            self.fail(self.size - TRAILER, "the file is damaged")
        self.section(b"TABL", (tables, index - tables, 0), self.read_tables)
        self.index = self.section(b"INDX", (index, size - TRAILER - index, 0), self.read_index)

    def read_tables(self, data):
        tables = Bytes(data)
        self.ranks, self.complete = tables.varint(), tables.varint() == 1
        self.seconds_per_flop = struct.unpack("<d", tables.take(8))[0]
        self.program, self.origin = tables.text(), tables.text()
        self.functions, self.kinds, self.members_left = [], [], MOST_MEMBERS
        for _ in range(tables.count()):
            name = tables.text()
            fields = [(tables.text(), tables.varint(LIST + len(KINDS) - 1)) for _ in range(tables.count())]
            self.functions.append(Function(name, [Field(n, KINDS[k % LIST], k >= LIST) for n, k in fields]))
            self.kinds.append([(k % LIST, k >= LIST, k % LIST == PEER and n != "root") for n, k in fields])
        self.strings = [tables.text() for _ in range(tables.count())]
        self.communicators = [(self.members(tables), self.members(tables)) for _ in range(tables.count())]
        self.sets = [self.members(tables) for _ in range(tables.count())]

    def read_index(self, data):
        index = Bytes(data)
        return [(index.references(), index.references()) for _ in range(index.count())]

    def members(self, tables):
        members = []
        for _ in range(tables.count()):
            first, stride = (members[-1] if members else 0) + tables.signed(), tables.signed()
            count = tables.varint(self.members_left)
            self.members_left -= count
            members.extend(first + stride * i for i in range(count))
        return members

    def count(self, rank):  # of records
        return sum(records for references in self.index[rank] for _, _, records in references)

    def blocks(self, rank):
        for page in self.index[rank][0]:
            yield from self.section(b"PAGE", page, lambda data: Bytes(data).references())
        yield from self.index[rank][1]

    def records(self, rank, first=0):
        """The rank's records, from record `first` on."""
        for reference in self.blocks(rank):
            if first >= reference[2]:
                first -= reference[2]
                continue
            if self.cached[0] != reference:
                self.cached = reference, self.section(b"BLCK", reference, lambda data: Block(data, self.kinds))
            for function, values in itertools.islice(self.cached[1].unrolled(self.cached[1].items), first, None):
                yield self.record(rank, function, values)
            first = 0

    def record(self, rank, function, values):
        def meaning(value, kind, relative):
            if kind in (REAL, TEXT):
                return cast("d", "q", value) if kind == REAL else self.strings[value] if value >= 0 else None
            return (value + rank) % self.world if relative and 0 <= value < self.world else value

        name, fields = self.functions[function]
        return Record(name, {field.name: [meaning(v, kind, relative) for v in value] if is_list else meaning(value, kind, relative)
                             for field, value, (kind, is_list, relative) in zip(fields, values, self.kinds[function])})
