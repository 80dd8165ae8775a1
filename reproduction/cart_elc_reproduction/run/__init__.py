"""Running tasks on this machine or on a cluster, and keeping a record of each."""
