# What is no source is refused with a help line, and nothing is written.
echo '{"tools": []}' > source; probity import mcp --tools source --out out
echo 'not json' > source; probity import mcp --tools source --out out
# Lists are read as other files of other people are: a mark at their start is none of them, and how deep they go is told.
printf '\357\273\277{"tools": []}' > source; probity import mcp --tools source --out out
printf '[%.0s' $(seq 300) > source; printf ']%.0s' $(seq 300) >> source; probity import mcp --tools source --out out
(printf '{"openapi": '; cat source; echo '}') > deeper; probity import openapi deeper --out out
echo '{"tools": [{"name": "do it!"}]}' > source; probity import mcp --tools source --out out
printf "swagger: '2.0'\npaths: {}\n" > source; probity import openapi source --out out
echo '{"openapi": "3.1.0", "paths": {}}' > source; probity import openapi source --out out
echo 'a: [b' > source; probity import openapi source --out out
probity import mcp tools.json --out out
# What is no file may never end.
probity import mcp --tools /dev/zero --out out
# A server that does not say enough, too much, or nothing.
probity import mcp --command "python3 $CASES/import/server.py late" --out out 2> told; echo $?; grep -oF 'before it answered `tools/list`' told
probity import mcp --command "python3 $CASES/import/server.py long" --out out 2> told; echo $?; grep -oF 'its next page has more than 4096 bytes' told
probity import mcp --command ./there-is-no-such-server --out out
echo "tr '\\0' x < /dev/zero" > floods.sh; probity import mcp --command 'sh floods.sh' --out out
ls
