# A cause is told without the rules that nothing violates for it.
probity -q new env shop/counter > wrote
edit environments/shop/counter.json 's/"policy": \[/&{"id": "few", "rule": "Sell at most what is there.", "bound_to": [{"forbidden": "sell_item where args.count > 90"}]}, /'
edit environments/shop/counter.json 's/"forbidden": \[/&"sell_item where args.count > 90", /'
probity check --all shop/counter > told; echo $?; sed 's|, [0-9]* calls in.*||' told
edit tasks/shop/counter/sell_two_teapots.json 's/"equals": 3/"equals": 4/'
probity check --all shop/counter > told; echo $?; sed 's|, [0-9]* calls in.*||' told
# A task that cannot be read is told alone.
edit tasks/shop/counter/sell_two_teapots.json 's/"goal": "/"gaol": "/'
probity check --all shop/counter > told; echo $?; sed 's|, [0-9]* calls in.*||' told
