# A door over HTTP with these flags, at `$AT`, as long as the line goes on; it may have `$FILES` open.
door() {
    mkfifo at; (ulimit -n "${FILES:-1024}"; exec probity -q serve --mcp-http 127.0.0.1:0 "$@") > at & DOOR=$!; trap "kill $DOOR 2> /dev/null" EXIT
    read -r URL < at; rm at; AT=${URL#http://}; AT=${AT%%/*}
}
# The answer to a method, a target (below /e/, unless it begins with a stroke), more headers and a body.
ask() { case $2 in /*) target=$2 ;; *) target=/e/$2 ;; esac; python3 ask.py "$AT" "$1 $target HTTP/1.1\r\nHost: ${HOST:-$AT}\r\nAuthorization: Bearer ${TOKEN-a-token-of-some-length}$3" "$4"; }
# The same of who sends no body.
begin() { python3 ask.py "$AT" "$1 /e/$2 HTTP/1.1\r\nHost: $AT\r\nAuthorization: Bearer ${TOKEN-a-token-of-some-length}$3"; }
# A request of JSON-RPC.
call() { printf '{"jsonrpc": "2.0", "id": 1, "method": "%s", "params": %s}' "$1" "$2"; }
say=$(call tools/call '{"name": "say_to_user", "arguments": {"text": "One moment."}}')
brief=$(call resources/read '{"uri": "probity://brief"}')
list=$(call tools/list '{}')
DOOR_TOKEN=a-token-of-some-length; export DOOR_TOKEN
