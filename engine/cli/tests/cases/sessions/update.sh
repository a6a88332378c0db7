# An update writes what can be known and names the rest.
cp -r "$CASES/base/." .
edit tasks/shop/counter/more_teapots.json 's/sha256:[0-9a-f]*//; s/"budget": 2/"budget": 9/'
probity check --update
grep -c sha256 tasks/shop/counter/more_teapots.lock.json; grep -c '"hash"' tasks/shop/counter/more_teapots.json
edit tasks/shop/counter/more_teapots.json 's/"goal"/"gaol"/' && probity check --update
