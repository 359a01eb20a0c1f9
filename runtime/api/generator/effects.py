# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a call of each MPI function does to the program's communication, found from its row: Local, Message, Progress,
Collective or Run. llvm-pass/facts/MpiRoles.h says what the words mean; the trace of communication goes by them too."""

# Calls whose results depend on when they are made, not on the program and its messages alone.
_TIMING = {"Iprobe", "Improbe", "Waitany", "Waitsome", "Win_test", "Win_sync", "Parrived", "Wtime"}
# Calls that every rank of a communicator, window or file makes, beyond the chapter of collectives and those that
# make a communicator of one.
_COLLECTIVE = {"Comm_disconnect", "Comm_free", "Comm_create_from_group", "Comm_join", "Intercomm_create_from_groups"}
_COLLECTIVE |= {"Win_fence", "Win_free", "File_open", "File_close", "File_set_size", "File_preallocate"}
_COLLECTIVE |= {"File_set_view", "File_set_info", "File_set_atomicity", "File_sync"}
_RUN = {"Init", "Init_thread", "Finalize", "Abort", "Session_init", "Session_finalize"}
_QUIET = ("Status_", "Grequest_start", "Buffer_attach", "Comm_attach_buffer", "Session_attach_buffer", "Test_cancelled", "Register_datarep")


def timing(row):
    return row.name in _TIMING or row.name.startswith(("Test", "Request_get_status")) and row.name != "Test_cancelled"


def _makes_comm(row):
    kinds = {(p.kind.name, p.direction) for p in row.parameters}
    return ("comm", "out") in kinds and ("comm", "in") in kinds and not row.result


def effect(row):
    name, buffers = row.name, any(p.kind.name in ("buffer", "inplace") for p in row.parameters)
    if row.has("cast"):
        return "Local"
    if name in _RUN or name.endswith("_call_errhandler"):
        return "Run"
    if name == "Reduce_local" or name.startswith(_QUIET):
        return "Local"
    if row.chapter == "Collectives" or name in _COLLECTIVE or row.chapter != "Attributes" and _makes_comm(row):
        return "Collective"
    if row.chapter == "Windows" and any(p.kind.name == "win" and p.direction == "out" for p in row.parameters):
        return "Collective"
    if row.chapter == "Files" and ("_all" in name or "_ordered" in name):
        return "Collective"
    if row.chapter in ("PointToPoint", "Windows", "Files", "Partitioned") and buffers:
        return "Message"
    if row.chapter in ("PointToPoint", "Requests", "Partitioned"):
        return "Progress"
    if row.chapter == "Files" and "_get_" not in name:
        return "Message"
    if row.chapter == "Windows" and not name.startswith(("Win_get_", "Win_set_", "Win_attach", "Win_detach", "Win_shared_query")):
        return "Progress"
    return "Local"
