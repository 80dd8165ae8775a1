"""The node problem by brute force in plain NumPy, apart from the search: every plane is made and scored."""
