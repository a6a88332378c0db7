# What is wrong elsewhere keeps no task from its certificate, warned of or not.
probity -q new env shop/counter > wrote && probity -q new env garden/shed > wrote
edit tasks/garden/shed/sell_two_teapots.json 's/"goal": "/"gaol": "/'
probity -q certify --no-cache shop/counter > told && tail -2 told
probity -q certify --no-cache shop/counter/sell_two_teapots > told && tail -2 told
probity -q certify --no-cache tasks/shop > told && tail -2 told
edit environments/shop/counter.json 's/\["out_of_stock"\]/["out_of_stock", "never_said"]/'
probity check shop/counter
probity -q certify --no-cache shop/counter > told && tail -2 told
probity -q certify --no-cache shop/counter/sell_two_teapots > told && tail -2 told
probity -q certify --no-cache tasks/shop > told && tail -2 told
probity -q certify --no-cache
probity -q certify --no-cache garden/shed
probity -q certify --no-cache shop/counter garden/shed
