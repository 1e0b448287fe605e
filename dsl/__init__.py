"""The front end: rule text in, a checked model or diagnostics out."""
