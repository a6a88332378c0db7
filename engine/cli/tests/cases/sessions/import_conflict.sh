# A line that the author and the source changed is a conflict that can be ended.
probity -q import mcp --tools moved.json --id hire/boats --out conflict > told
edit conflict/scripts/hire/boats.rhai 's/it.day = add_days(today(), rng.below(60));/it.day = "2026-03-04";/'
probity -q import mcp --tools crew.json --id hire/boats --out conflict
probity --root conflict check
probity -q --json import mcp --tools crew.json --id hire/boats --out conflict > told; echo $?; grep '"element"' told
probity -q import mcp --tools crew.json --id hire/boats --out conflict --keep-mine > told && probity -q import mcp --tools crew.json --id hire/boats --out conflict > told && probity --root conflict check
# What an import wrote passes check, or it says what to change and where.
probity -q import mcp --tools count.json --id hire/boats --out passes > told
edit passes/scripts/hire/boats.rhai 's/^    it.boat = args.boat;/&\n    let all = 0;\n    for each in args.crew { all += each.count; }/; s/^    it.day = args.day;/    let to = args.day;\n    it.day = to;/'
probity --root passes check
cp -r passes copy && probity -q --json import mcp --tools people.json --id hire/boats --out copy > told; echo $?; grep -A 10 '"gone"' told
probity -q import mcp --tools people.json --id hire/boats --out passes
sed -n 16p passes/scripts/hire/boats.rhai
# The field goes from the collection, the tool and what fills it together, or from none.
probity -q import mcp --tools date.json --id hire/boats --out passes > told; echo $?; grep 'yours stands' told
probity --root passes check
# What a task needs and the source has no longer is told at its line.
mkdir -p passes/tasks/hire/boats; printf 'moveHire hireId=H0001 day=2026-03-05\nsave task later\n' | probity --root passes play hire/boats
edit passes/scripts/hire/boats.rhai '/let to = args.day;/d; s/it.day = to;/it.day = args.day;/'
rm -r copy && cp -r passes copy && probity -q --json import mcp --tools one.json --id hire/boats --out copy > told; echo $?; grep -A 5 '"wrong"' told
probity -q import mcp --tools one.json --id hire/boats --out passes > told; echo $?; grep -E 'yours stands|later.json' told
# An import goes over its own kind of source, into a folder.
probity -q import mcp --tools one.json --id hire/boats --out kinds > told
probity import openapi "$CASES/import/library.yaml" --id hire/boats --out kinds
probity import mcp --tools one.json --id hire/boats --out one.json
probity --root kinds fmt
