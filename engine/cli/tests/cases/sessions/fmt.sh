# `check` and `fmt` keep the one style, in the short form and in the long one.
cp -r "$CASES/base/." . && cp -r "$CASES/valid/short/." . && cp tasks/shop/counter/more_teapots.json task.json && cp tasks/shop/counter/more_teapots.lock.json lock.json
probity fmt --check
edit tasks/shop/counter/more_teapots.json 's/^ /   /' && probity fmt --check
probity fmt && cmp task.json tasks/shop/counter/more_teapots.json && probity fmt
echo '{"goal": }' > tasks/shop/counter/more_teapots.json; probity fmt; echo $?; cat tasks/shop/counter/more_teapots.json
# What is generated is written beside the task.
cp task.json tasks/shop/counter/more_teapots.json && rm tasks/shop/counter/more_teapots.lock.json && probity check
probity check --update && cmp lock.json tasks/shop/counter/more_teapots.lock.json && cmp task.json tasks/shop/counter/more_teapots.json
# It leaves a long task when it changes.
cp -r "$CASES/base/." . && rm tasks/shop/counter/more_teapots.lock.json && cp tasks/shop/counter/more_teapots.json long.json
probity check --update && cmp long.json tasks/shop/counter/more_teapots.json
edit tasks/shop/counter/more_teapots.json 's/sha256:e/sha256:f/' && probity check --update
grep -cE '"(hash|delta)"' tasks/shop/counter/more_teapots.json; cmp lock.json tasks/shop/counter/more_teapots.lock.json
cp tasks/shop/counter/more_teapots.json task.json && probity check --update && cmp task.json tasks/shop/counter/more_teapots.json
