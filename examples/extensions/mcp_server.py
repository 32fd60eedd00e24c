"""A small MCP server over stdio, for the spec of mcp_client.lua."""

from mcp.server.mcpserver import MCPServer

server = MCPServer("sums")


@server.tool()
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


@server.tool()
def fail() -> str:
    """Fail, always."""
    raise ValueError("as it should")


server.run()
