# At a terminal Tab completes and the history is there; whoever sees a refusal can type again: no failure.
probity -q new env shop/counter > wrote; terminal 'main> \x00fi\t\x00find_items\x00 na\t\x00name=\x00cup\r\x00main> \x00\x1b[A\r\x00main> \x00nonsense\r\x00main> \x00undo\r\x00main after 1 message\x00quit\r' probity play shop/counter > screen; echo $?; grep -o 'step [0-9]*: ok' screen | sort -u
# What is longer than the screen goes to the pager, if it is meant for people.
probity -q run --out kept --agent oracle --agent noop > told; PAGER='cat > paged; echo PAGED' terminal '' probity show kept | tr -d '\r'; probity show kept > piped; cmp piped paged
for flag in --no-pager --json; do PAGER='cat > paged; echo PAGED' terminal '' probity show kept $flag > screen; grep -c PAGED screen; grep -c '== noop ' screen; done
