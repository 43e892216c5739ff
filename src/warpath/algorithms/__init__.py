"""What a user calls: pick engine and method, check the input, package the result."""
