# An outline is made of names and says what is left.
probity new env shop/desk --collections orders,customers --tools find_orders,get_customer,cancel_order
probity fmt --check
probity check
probity new env shop/other --collections Orders --tools a
# A new task is born clean and tells no key.
probity new env shop/counter
probity new task shop/counter/look
probity check look
grep -c I0 tasks/shop/counter/look.json
grep -oE '"(goal|variants)"' tasks/shop/counter/look.json
# What is begun is begun again, and nothing is overwritten.
probity new env shop/counter
probity new task shop/counter/look
edit tasks/shop/counter/look.json '1s/{/{ /'
probity new task shop/counter/look
