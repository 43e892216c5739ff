"""A stderr of tests."""


class Terminal:
    """Stands for a stderr that is a terminal, and notes what is written to it."""

    def __init__(self):
        self.written = ""

    def write(self, text):
        self.written += text

    def flush(self):
        pass

    def isatty(self):
        return True
