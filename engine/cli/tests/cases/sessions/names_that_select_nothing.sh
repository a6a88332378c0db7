# A name that selects nothing is told what it may have meant.
probity -q new env shop/counter > wrote && probity -q new env garden/shed > wrote
probity run --agent noop --out run --env counter
probity run --agent noop --out run --env shop/countr
probity run --agent noop --out run --task shop/counter
probity run --agent noop --out run --task tasks/shop/counter/sell_two_teapots.json
probity run --agent noop --out run --task ideal
# Only the oracle is held to a full mark.
probity run --agent noop --as oracle --out a | sed -n 1,4p
probity run --agent oracle --as oracle --out b | sed -n 1,4p
