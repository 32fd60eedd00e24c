"""Stands in for setuptools while pip downloads a source archive of which only files are wanted."""
