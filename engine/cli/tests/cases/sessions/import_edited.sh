# What the author wrote stays, and the same import changes nothing.
desk lamps old > told; cp -r old mine && edit mine/environments/shop/desk.json 's/"title": "Tools of/"title": "My tools of/' && edit mine/scripts/shop/desk.rhai 's|it.room = args.room;|& // as it is said|' && cp -r mine edited
desk lamps mine && diff -r edited mine
desk one mine && diff -r -x imports edited mine
desk one new > told; diff -r new/imports mine/imports
# What the author took out stays out; a new tool brings its collection, its counts and its function.
cp -r old less && cp shadeless.json less/environments/shop/desk.json && cp shadeless.rhai less/scripts/shop/desk.rhai && probity --root less check
cp -r less more && desk readings more
probity --root more check; desk readings all > told; diff -r all/imports more/imports
# So it does where the author took all comments away.
for name in less more; do cp -r $name $name.bare && edit $name.bare/environments/shop/desk.json '/^ *\/\//d'; done; desk readings less.bare; probity --root less.bare check; diff more.bare/environments/shop/desk.json less.bare/environments/shop/desk.json
# It stays out whatever becomes of it.
cp -r less hue && desk hue hue && diff -r -x imports less hue; desk hue hued > told; diff -r hued/imports hue/imports
# What would not load is left whole and told again; the rest comes.
cp -r less shades && desk shades shades
probity --root shades check; cp -r shades before; desk shades shades; echo $?; diff -r before shades
# A conflict has its name and both texts until it is solved; the rest of the tool comes.
cp -r old both && edit both/environments/shop/desk.json 's/To moveLamp\./As the author says./' && edit both/scripts/shop/desk.rhai 's/it.room = args.room;/it.room = "attic";/' && desk shelf both
cp -r both first; desk shelf both; echo $?; diff -r first both
desk shelf wanted > told; edit both/environments/shop/desk.json 's/As the author says\./As the source says./' && cp wanted/scripts/shop/desk.rhai both/scripts/shop && desk shelf both && diff -r wanted both
# Thousands of lines and the deepest nesting come together.
lines() { for n in $(seq 1500); do printf '    // %s %s%s' $1 $n "$2"; done; }; cp -r old long && edit long/imports/shop/desk.json "s|    it.room = args.room;|$(lines one '\\n')&|" && edit long/scripts/shop/desk.rhai "s|    it.room = args.room;|$(lines other '\n')&|" && python3 -c 'import json; print(json.load(open("long/imports/shop/desk.json"))["script"].count("\n"))' && wc -l < long/scripts/shop/desk.rhai && probity -q --json import mcp --tools deep.json --id shop/desk --out long > told; echo $?; grep '"element"' told; probity --root long check > told; echo $?
# What the source has no longer goes unless the author changed it.
cp -r old goes && desk less goes && desk less gone > told; diff -r gone goes
cp -r old kept && edit kept/environments/shop/desk.json 's/To getShade\./A shade./' && desk less kept
# A guess whose comment the author took away is decided.
desk deletes decided; probity -q --json import mcp --tools deletes.json --id shop/desk --out decided | grep -E '"(says|decided)"'
edit decided/environments/shop/desk.json '/  \/\/ cannot be taken back: it deletes$/d' && desk deletes decided; probity -q --json import mcp --tools deletes.json --id shop/desk --out decided | grep -E '"(says|decided)"'
# A line of a loop that both changed is a conflict: told again until the source's is taken for known.
desk day day > told; edit day/scripts/shop/desk.rhai 's/it.day = add_days(today(), rng.below(60));/it.day = "2026-03-04";/'
for other in date crew; do cp -r day $other; desk $other $other > told; echo $?; grep -E ': (you|yours)' told; probity --root $other check; cp -r $other $other.1; desk $other $other > told.1; echo $?; diff -r $other.1 $other; sed -n '/yours$/,$p' told > told.0; sed -n '/yours$/,$p' told.1 | diff told.0 -; desk $other $other.new > told; cp $other.new/imports/shop/desk.json $other/imports/shop && desk $other $other; done
# A field that the source calls otherwise goes from everywhere together.
desk day field > told; cp -r field renamed && desk date renamed > told; echo $?; diff -r date.new renamed
# It stays where the author's function has it.
edit field/scripts/shop/desk.rhai 's/^    it.day = args.day;/    if args.day < today() { fail("past", "it is past"); }\n&/' && edit field/environments/shop/desk.json 's/"claims": \["moved"\]/&, "errors": ["past"]/' && probity --root field check && cp -r field was
desk date field; echo $?; probity --root field check; diff was/scripts/shop/desk.rhai field/scripts/shop/desk.rhai
cp -r field first.field; desk date field > told; echo $?; grep -E ': (you|yours)' told; diff -r first.field field
# A collection stays with a tool that stays.
desk count stays > told; edit stays/scripts/shop/desk.rhai 's/^    it.crew = args.crew;/&\n    for one in args.crew { one.count; }/' && cp -r stays stays.was && desk people stays; echo $?; diff -r -x imports stays.was stays
# What a tool returns stays with a function of the author's.
desk listed listed > told; edit listed/scripts/shop/desk.rhai 's/let found = db.hires.values();/let found = db.hires.values().filter(|it| true);/' && cp -r listed counted && desk counted counted
# A tool that the source has no longer stays with its function.
cp -r listed unlisted && desk unlisted unlisted; echo $?; diff -r -x imports listed unlisted
