"""What stands in this folder is used by tests and by hand; nothing here is a test."""

collect_ignore_glob = ["*.py"]
