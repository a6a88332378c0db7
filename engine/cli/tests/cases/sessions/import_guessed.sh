# What is made of each kind of parameter is told, and stands in the script.
desk shipments shipments > told; cat shipments/scripts/shop/desk.rhai
guesses shipments; grep shipment_id_not_found shipments/environments/shop/desk.json
# A default that says nothing asks for nothing, and what lacks the field is listed.
desk defaults defaults > told; cat defaults/scripts/shop/desk.rhai
guesses defaults
# What only the author knows is listed, and stands beside its tool.
desk samples samples > told; cat samples/scripts/shop/desk.rhai
guesses samples; grep '// ' samples/environments/shop/desk.json
# What was returned says what is returned, in the frames of servers too.
probity -q import mcp --tools order.json --logs orders.jsonl --id shop/desk --out order; cat order/environments/shop/desk.json order/scripts/shop/desk.rhai
# What would not load is refused with words.
(echo '{"tools": [{"name": "makeLamp", "inputSchema": {"properties": {'; for n in $(seq 19999); do printf '"p%s": {}, ' $n; done; echo '"p0": {}}}}]}') > many.json; desk many many; echo $?; test -e many; echo $?
# What does not stand in the environment is told with its tool.
desk lost lost
# Keys have no form of the source; `type` as a parameter makes the list a whole schema.
desk page page; grep -cE 'uuid|minLength' page/environments/shop/desk.json; grep page_id page/environments/shop/desk.json
