"""Results as numbers: records gathered over folds and trials, selected, tested, and set beside the published ones."""
