"""A server of the Model Context Protocol with two pages of tools; `modern` knows no `initialize`, `late` dies, `long` gives
its next page a long name."""
import json
import sys

ERA = sys.argv[1]
print(json.dumps({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}), flush=True)
print("a line of the server's own", flush=True)
for line in sys.stdin:
    request = json.loads(line)
    if "id" not in request:
        continue
    method, params = request["method"], request.get("params", {})
    error = {"code": -32601, "message": "unknown method"}
    answer = None
    if method == "initialize" and ERA == "legacy":
        answer = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "Lamps"}}
    if method == "tools/list":
        if ERA == "late":
            sys.exit(1)
        if ERA == "modern" and "io.modelcontextprotocol/protocolVersion" not in params.get("_meta", {}):
            error = {"code": -32602, "message": "no version"}
        elif "cursor" in params:
            answer = {"tools": [{"name": "setLamp", "inputSchema": {"type": "object", "properties": {
                "lampId": {"type": "string"}, "bright": {"type": "integer"}}, "required": ["lampId"]}}]}
        else:
            answer = {"tools": [{"name": "getLamp", "inputSchema": {"type": "object", "properties": {
                "lampId": {"type": "string"}}, "required": ["lampId"]}}], "nextCursor": "2" * (5000 if ERA == "long" else 1)}
    part = {"error": error} if answer is None else {"result": answer}
    print(json.dumps({"jsonrpc": "2.0", "id": request["id"], **part}), flush=True)
