# What the author changed stays when tools are imported again.
cp "$CASES/import/repairs.json" tools.json && probity -q import mcp --tools tools.json --id shop/repairs --out . > told
edit environments/shop/repairs.json 's/"title": "Tools of an MCP server"/"title": "A bicycle workshop"/' && cp environments/shop/repairs.json edited.json
probity -q import mcp --tools tools.json --id shop/repairs --out . > told && cmp edited.json environments/shop/repairs.json
edit tools.json 's/All repairs, newest last./All repairs, oldest first./; s/A customer with address and phone./A customer./'
probity -q import mcp --tools tools.json --id shop/repairs --out . > told; echo $?; sed -n '1,/to decide/p' told
grep -E 'workshop|oldest first' environments/shop/repairs.json
# What both changed is told each time until it is solved, and the author's stands.
edit environments/shop/repairs.json 's/A customer\./Who somebody is./' && edit tools.json 's/A customer\./One customer./'
probity -q import mcp --tools tools.json --id shop/repairs --out . > told; echo $?; grep -A 5 'yours stands' told
probity -q import mcp --tools tools.json --id shop/repairs --out . > told; echo $?
grep -c 'Who somebody is.' environments/shop/repairs.json
probity -q import mcp --tools tools.json --id shop/repairs --out . --keep-mine > told && probity -q import mcp --tools tools.json --id shop/repairs --out . > told && grep -c 'Who somebody is.' environments/shop/repairs.json
# Without what was kept nothing says whose an edit is.
rm imports/shop/repairs.json && probity import mcp --tools tools.json --id shop/repairs --out .
