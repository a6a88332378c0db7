# A checkout that ends lines otherwise changes nothing.
probity -q new env shop/counter > wrote && probity -q new env garden/shed > wrote
cat .gitattributes
probity -q run --task shop/counter/sell_two_teapots --agent oracle --out before > /dev/null
cat before/.gitattributes
find environments scripts tasks -type f -exec perl -pi -e 's/\n/\r\n/' {} +
probity check --deny-warnings
probity -q run --task shop/counter/sell_two_teapots --agent oracle --out after > /dev/null
cmp before/run.json after/run.json && cmp before/episodes.jsonl after/episodes.jsonl
probity fmt --check
find before -type f -exec perl -pi -e 's/\r?\n/\r\n/' {} +
probity -q report before > /dev/null
probity -q replay before
probity -q score before > /dev/null
