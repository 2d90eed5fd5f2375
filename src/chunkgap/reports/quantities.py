"""How counts, bytes, seconds and multiples are written in reports; measures are `chunkgap.formatting`'s."""

from chunkgap.formatting import MISSING, decimals_apart

_BYTE_UNITS = ("kB", "MB", "GB", "TB")


def count(value: int | None) -> str:
    """A whole number with thousands apart.

    >>> count(12345), count(0), count(None)
    ('12,345', '0', '\u2013')
    """
    return MISSING if value is None else f"{value:,}"


def data_size(value: int | None) -> str:
    """Bytes in the decimal unit that leaves the number short.

    >>> data_size(999), data_size(153_600), data_size(1_536_000_000), data_size(None)
    ('999 B', '153.6 kB', '1.5 GB', '\u2013')
    """
    if value is None:
        return MISSING
    if value < 1000:
        return f"{value} B"
    scaled = float(value)
    for unit in _BYTE_UNITS:
        scaled /= 1000
        if scaled < 999.95 or unit == _BYTE_UNITS[-1]:
            break
    return f"{scaled:.1f} {unit}"


def duration(seconds: float | None) -> str:
    """Seconds, or milliseconds below a tenth of one; 0 only where it is 0.

    >>> duration(0.00123), duration(1.5), duration(125.0), duration(None)
    ('1.23 ms', '1.50 s', '125 s', '\u2013')
    >>> duration(1e-6), duration(0.0)
    ('0.001 ms', '0.00 ms')
    """
    if seconds is None:
        return MISSING
    if seconds < 0.1:
        milliseconds = seconds * 1000
        return f"{milliseconds:.{decimals_apart(milliseconds, 0.0, least=2)}f} ms"
    return f"{seconds:.2f} s" if seconds < 100 else f"{seconds:.0f} s"


def times(ratio: float | None, *, most: float = 1.0) -> str:
    """A multiple in words, None where it is not known; see `multiple`.

    >>> times(2.0), times(3.456), times(None)
    ('2.0 times', '3.5 times', 'an unknown multiple of')
    """
    return "an unknown multiple of" if ratio is None else f"{multiple(ratio, most=most)} times"


def multiple(ratio: float, *, most: float = 1.0) -> str:
    """A multiple with one decimal, or with as many as tell it from one, from none, and from the most it may be.

    >>> multiple(1.0), multiple(1.04), multiple(0.04), multiple(5.0001, most=5.0)
    ('1.0', '1.04', '0.04', '5.0001')
    """
    decimals = max(decimals_apart(ratio, other, least=1) for other in (0.0, 1.0, most))
    return f"{ratio:.{decimals}f}"
