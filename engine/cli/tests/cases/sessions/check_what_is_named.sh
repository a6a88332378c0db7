# `check` looks at what is named alone.
probity -q new env shop/counter > wrote && probity -q new env garden/shed > wrote
edit tasks/garden/shed/sell_two_teapots.json 's/"goal": "/"gaol": "/'
probity check
probity check shop/counter
probity check counter
probity check environments/shop/counter.json
probity check tasks/shop
probity check scripts/shop/counter.rhai
probity check shop/counter/sell_two_teapots
probity check garden/shed
probity check shop/cuonter
# One broken task hides no other and floods nothing.
probity check --all garden/shed > told; echo $?; sed 's|, [0-9]* calls in.*||' told
