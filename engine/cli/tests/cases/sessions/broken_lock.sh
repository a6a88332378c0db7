# A lock that cannot be read is made anew.
probity -q new env shop/counter > wrote
cp tasks/shop/counter/sell_two_teapots.lock.json whole
printf '' > tasks/shop/counter/sell_two_teapots.lock.json
probity check
probity check --update && cmp whole tasks/shop/counter/sell_two_teapots.lock.json
printf '{\n<<<<<<< HEAD\n' > tasks/shop/counter/sell_two_teapots.lock.json
probity check
probity check --update && cmp whole tasks/shop/counter/sell_two_teapots.lock.json
printf '[]' > tasks/shop/counter/sell_two_teapots.lock.json
probity check
probity check --update && cmp whole tasks/shop/counter/sell_two_teapots.lock.json
printf '{"hash": 1}' > tasks/shop/counter/sell_two_teapots.lock.json
probity check
probity check --update && cmp whole tasks/shop/counter/sell_two_teapots.lock.json
