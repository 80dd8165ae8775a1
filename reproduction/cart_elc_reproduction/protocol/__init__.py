"""The protocol: the algorithms, the tasks that fit them, and which tasks each part of the paper needs."""
