# A path that means nothing is refused, and one that leads to the task certifies it.
cp -r "$CASES/base/." .
for path in '' / // .json . no_such; do probity certify "$path"; echo $?; done
for path in tasks tasks/ shop counter tasks/shop/counter/more_teapots.json "$PWD/tasks" "$PWD/tasks/shop" "$PWD/tasks/shop/counter/more_teapots.json"; do probity -q certify "$path" > told; echo $? $(tail -1 told); done
# Errors are JSON where JSON is asked for.
edit tasks/shop/counter/more_teapots.json 's/"goal"/"gaol"/' && probity certify --json
