"""Trees in other forms: rules in text, DOT, programs, ONNX."""
