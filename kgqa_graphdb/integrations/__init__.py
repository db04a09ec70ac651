"""Bridges to other libraries, one module each; none is imported until it is used."""
