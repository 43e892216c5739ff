"""Arrays as other libraries have them."""


class OnlyDlpack:
    """Like another library's tensor that NumPy and CuPy do not know."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()
