"""Pictures of trees: what stands in the boxes, where they go, and how they are drawn."""
