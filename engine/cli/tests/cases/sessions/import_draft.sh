# A task is drafted from two calls that work, where no look-up by a text is there.
probity -q import mcp --tools "$CASES/import/repairs.json" --id shop/repairs --out repairs > told && probity -q --root repairs new task shop/repairs/one
cat repairs/tasks/shop/repairs/one.json
probity --root repairs check | grep -o 'error\[[a-z_]*\]' | sort -u
# What stands in a list is a fact as what stands alone, and what cannot be taken back has a yes.
probity -q import mcp --tools marks.json --id shop/desk --out marks > told && probity -q --root marks new task shop/desk/one
grep -E 'mark|withheld' marks/tasks/shop/desk/one.json
probity -q import mcp --tools deletes.json --id shop/desk --out deletes > told && probity -q --root deletes new task shop/desk/one
grep -cF '["deleteOrder"]' deletes/tasks/shop/desk/one.json
# Prose of a change that may be left out is warned of.
probity -q import mcp --tools reason.json --id hire/boats --out hire > told
edit hire/environments/hire/boats.json 's/"claims": \["moved"\]/&, "free_text": ["reason"]/' && probity --root hire check
edit hire/environments/hire/boats.json 's/"reason?": {"type": "string"}/"reason?": {"is": "string", "default": "none given"}/' && probity --root hire check
