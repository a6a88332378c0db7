# A list of tools becomes a world that plays.
probity -q import mcp --tools "$CASES/import/repairs.json" --id shop/repairs --out repairs
probity --root repairs check --all > told; echo $?; sed 's/, [0-9]* calls in.*//' told
probity --root repairs play shop/repairs < repairs.txt
# An OpenAPI document becomes one: a POST that reads comes first.
probity -q import openapi "$CASES/import/library.yaml" --id town/library --out library
probity --root library check --all > told; echo $?; sed 's/, [0-9]* calls in.*//' told
grep -c X-Trace library/environments/town/library.json; grep 'price' library/environments/town/library.json
# What was just made is found, whatever a list asks for unless told otherwise.
probity -q import mcp --tools jars.json --id shop/jars --out jars
probity --root jars play shop/jars < jars.txt
# Batches of every kind, with and without a schema of what they return.
probity -q import mcp --tools batches.json --id shop/batches --out batches > told; echo $?
probity --root batches check --all > told; echo $?; sed 's/, [0-9]* calls in.*//' told
probity --root batches play shop/batches < batches.txt
# What is not an object is returned, and what shows nothing is told.
probity -q import openapi odd.yaml --id odd/desk --out odd
grep -E 'kinds|size' odd/scripts/odd/desk.rhai
printf 'get_day\nget_text\nget_count\n' | probity --root odd play odd/desk
probity --root odd check --all > told; echo $?
