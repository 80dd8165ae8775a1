"""The pages of docs/ that are made from records, and the comparison of two runs."""
