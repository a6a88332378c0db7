# Logs alone become a world with what they show, and so does a list of tools beside them.
probity -q import mcp --logs "$CASES/import/parcels.jsonl" --id post/desk --out post
grep -E 'examples' post/environments/post/desk.json; grep -c @parcels post/environments/post/desk.json; grep '"P1"' post/scripts/post/desk.rhai
probity --root post check --all > told; echo $?
printf 'releaseParcel parcelId=P2\ngetParcel parcelId=P2\n' | probity --root post play post/desk
probity -q import mcp --tools parcel.json --logs "$CASES/import/parcels.jsonl" --out both
