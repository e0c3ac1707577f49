"""The DEC special graphics set (VT220 manual, table 2-4), in which old programs draw their lines."""

DESIGNATIONS = {
    "0": dict(zip(range(0x5F, 0x7F), " ◆▒␉␌␍␊°±␤␋┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·", strict=True)),
    "A": {ord("#"): "£"},
}
"""Final character of `ESC (` -> what differs from ASCII. Any other final character stands for ASCII."""
