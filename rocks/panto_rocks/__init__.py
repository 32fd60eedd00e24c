"""Brings the rocks tree: fetches the pinned sources, builds them, exchanges the trees."""
