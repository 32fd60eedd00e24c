"""The native shim under panto: boots the pinned Lua and lends it a few primitives."""

__version__ = "0.1.0"
