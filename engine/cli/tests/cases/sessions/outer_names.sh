# Tools and fields are called as they are outside; the script keeps its functions.
probity -q new env shop/counter > wrote
edit scripts/shop/counter.rhai 's/price_cents:/priceCents:/'
edit environments/shop/counter.json 's/find_items/findItems/g; s/sell_item/API-sell-item/g; s/price_cents/priceCents/g'
edit tasks/shop/counter/sell_two_teapots.json 's/find_items/findItems/g; s/sell_item/API-sell-item/g; s/price_cents/priceCents/g'
probity check
edit environments/shop/counter.json 's/"name": "API-sell-item",/& "function": "sell_item",/'
probity -q check --update
probity -q certify > told; echo $?; tail -3 told
# 2400 in `priceCents` is said as 24.00 EUR.
probity -q run --agent oracle --out run | sed -n 1,4p
cp environments/shop/counter.json kept
edit environments/shop/counter.json 's/"name": "findItems"/"name": "find.items"/'; probity check environments/shop/counter.json
edit environments/shop/counter.json 's/"name": "find.items"/"name": "findItemsfindItemsfindItemsfindItemsfindItems"/'; probity check environments/shop/counter.json
cp kept environments/shop/counter.json
edit environments/shop/counter.json 's/"name": "findItems"/"name": "findItemsfindItemsfindItemsfindItemsfindItemsfindItemsfindItemsfindItems"/'; probity check environments/shop/counter.json
cp kept environments/shop/counter.json
edit environments/shop/counter.json 's/"name": "findItems"/"name": "find items"/'; probity check environments/shop/counter.json
cp kept environments/shop/counter.json
edit environments/shop/counter.json 's/"name": "findItems"/"name": "..."/'; probity check environments/shop/counter.json
cp kept environments/shop/counter.json
edit environments/shop/counter.json 's/"name": "findItems"/"name": "sell-item"/'; probity check environments/shop/counter.json
