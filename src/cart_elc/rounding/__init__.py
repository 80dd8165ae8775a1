"""Rules rounded for people, without moving a training row to the other side."""
