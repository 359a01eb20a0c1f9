# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a program says to a terminal."""
import os
import pty
import subprocess


def rest(terminal):
    """What comes until the other end is closed."""
    text = ""
    try:
        while more := os.read(terminal, 4096).decode():
            text += more
    except OSError:
        pass  # it is closed
    return text


def told(words, **options):
    """Runs \\p words with a terminal as the standard error; its text. The program must end with 0."""
    terminal, other = pty.openpty()
    with subprocess.Popen(list(map(str, words)), stderr=other, **options) as process:
        os.close(other)
        text = rest(terminal)
        code = process.wait(timeout=60)
    os.close(terminal)
    if code:
        raise AssertionError(f"{words}: exit code {code}\n{text}")
    return text
