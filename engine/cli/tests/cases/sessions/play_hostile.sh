# Hostile lines are refused and play goes on; nothing of them reaches the terminal.
probity -q new env shop/counter > wrote; (yes x | head -100000 | tr -d '\n'; printf '\n\377\376\nfind_items name="\\\\u001b[31m\033[2J\nfind_items name="\\\\u001b[31m\342\200\256"\ncall \033[2J {}\n'; yes [ | head -5000 | tr -d '\n'; printf '\nfind_items {"name": '; yes [ | head -5000 | tr -d '\n'; printf '\nstate /\nforks') | probity play shop/counter > out 2> err; echo $?
cut -c 1-300 out
cut -c 1-300 err
cat out err | LC_ALL=C tr -d '\n -~' | od -An -c | sort -u | head
