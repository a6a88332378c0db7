# A task is certified by itself, and its environment is not held against it.
probity -q new env shop/counter > wrote && probity -q new env garden/shed > wrote
edit environments/shop/counter.json 's/"forbidden": \[/"forbidden": ["find_items where args.name == 1", /'
edit tasks/garden/shed/sell_two_teapots.json 's/"goal": "/"gaol": "/'
probity -q certify --only shop/counter/sell_two_teapots > told; echo $?; tail -3 told
edit tasks/garden/shed/sell_two_teapots.json 's/"gaol": "/"goal": "/'
probity -q certify shop > told; echo $?; tail -3 told
probity -q certify --only sell_two_teapots > told; echo $?; tail -3 told
# What `check` refuses is not certified.
edit tasks/shop/counter/sell_two_teapots.json 's|"preserves": \[|&{"path": "/items/$teapot/stock", "equals": 3}, |'
probity check shop/counter/sell_two_teapots
probity -q certify --only shop/counter/sell_two_teapots
