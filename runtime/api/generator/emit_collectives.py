# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes what the entries of collectives check beside their arguments one by one: that two buffers are not the same
memory, and that the ranks' calls agree (mpi/comm/CollectiveLedger.h)."""

# Buffers that must be different memory.
_PAIRS = (("sendbuf", "recvbuf"), ("inbuf", "inoutbuf"))
_SENT = "sendcount * sendtypeObject->size()"
_RECEIVED = "recvcount * recvtypeObject->size()"
# The bytes that every rank gives or takes alike, where the standard wants equal signatures.
_BYTES = {
    **{name: "count * datatypeObject->size()" for name in ("Bcast", "Reduce", "Allreduce", "Scan", "Exscan")},
    "Reduce_scatter_block": "recvcount * datatypeObject->size()",
    "Gather": f"atRoot ? {_RECEIVED} : {_SENT}",
    "Scatter": f"atRoot ? {_SENT} : {_RECEIVED}",
    "Allgather": f"sendbufInPlace ? {_RECEIVED} : {_SENT}",
    "Alltoall": f"sendbufInPlace ? {_RECEIVED} : {_SENT}",
}
# Of which buffer each rank has a block, at its own rank.
_BLOCKS = {"Gather": "recv", "Allgather": "recv", "Gatherv": "recv", "Allgatherv": "recv", "Scatter": "send", "Scatterv": "send"}


def _base_name(row):
    """Gather of Gather, Igather and Gather_init."""
    return row.base or row.name


def _own_block(row, blocks):
    """The address of the calling rank's block."""
    places = "displs[commObject->rank()]" if _base_name(row).endswith("v") else f"int64_t{{commObject->rank()}} * {blocks}count"
    return f"Entry::at({blocks}buf, {places}, *{blocks}typeObject)"


def aliases(row, condition, length):
    """Statements; `condition` gives when a parameter is significant, `length` how many elements an array has."""
    if row.chapter != "Collectives":
        return []
    named = {p.name: p for p in row.parameters}
    first, second = next(((a, b) for a, b in _PAIRS if a in named and b in named), (None, None))
    if not first:
        return []
    counter = named[named[first].count]
    filled = f"Entry::anyPositive({counter.name}, {length(counter)})" if counter.array else f"{counter.name} > 0"
    when = " && ".join([c for c in (condition(named[first]), condition(named[second])) if c] + [""])
    out = [f'  if (!entry.failed() && {when}Entry::same({first}, {second}) && {filled})\n    entry.aliased("{first}", "{second}");']
    blocks = _BLOCKS.get(_base_name(row))
    if blocks:
        other = "sendbuf" if blocks == "recv" else "recvbuf"
        out.append(
            f"  if (!entry.failed() && {when}!commObject->isInter() && !inPlace({other}) && {filled} &&"
            f'\n      Entry::same({other}, {_own_block(row, blocks)}))\n    entry.aliased("{first}", "{second}");'
        )
    return out


def agreement(row):
    """Statements before the implementation's call; none for what is no collective on a communicator."""
    named = {p.name: p for p in row.parameters}
    if row.chapter != "Collectives" or "comm" not in named:
        return []
    call = [f'"MPI_{row.name}"', "site"]
    call.append("commObject->isInter() ? -1 : root" if "root" in named else "-1")
    # Of an intercommunicator's group that only looks on (MPI_PROC_NULL), the operation of a rooted call says nothing.
    operation = "commObject->isInter() ? nullptr : opObject" if "root" in named else "opObject"
    call.append(operation if "op" in named else "nullptr")
    size = _BYTES.get(_base_name(row))
    call.append(f"commObject->isInter() ? -1 : {f'({size})' if '?' in size else size}" if size else "-1")
    return [
        f"  mpi::CollectiveAgreement agreement(*commObject, {{{', '.join(call)}}});",
        "  if (agreement.stops()) [[unlikely]]",
        "    return entry.disagree(agreement.difference(), *commObject);",
    ]
