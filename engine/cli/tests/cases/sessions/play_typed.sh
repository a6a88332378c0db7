# Calls are typed by name or as JSON.
probity -q new env shop/counter > wrote; probity play shop/counter --json < calls.txt | grep -o '"arguments":{[^}]*}.*"tool":"[a-z_]*"' | sed 's/"message.*"tool"/"tool"/'
# Slips are refused with what to do; blanks and remarks say nothing.
probity play shop/counter < slips.txt
# Undo brings state, log and findings back: what was seen is unseen again.
probity play shop/counter < undone.txt > told; echo $?; grep -vE '^[ \[{}]|^\]' told
probity play shop/counter --json < undone.txt | grep -o '"hash":"sha256:.\{16\}'
# Messages are limited as in an episode, and so is what one holds.
probity play sell_two_teapots --max-messages 2 < few.txt > told; echo $?; grep -vE '^[ \[{}]|^\]' told
printf 'call %0300d {}\n' 0 | probity play sell_two_teapots > told; echo $?
# A fault of the author shows what an agent sees and what it does not; nothing is changed.
for line in 'item.stock = -1;' 'item.colour.x.y = 1;'; do cp scripts/shop/counter.rhai kept.rhai; edit scripts/shop/counter.rhai "s/item.stock -= args.count;/$line/"; printf 'state\nsell_item item_id=I001 count=1\nstate\n' > sold.txt; probity play shop/counter < sold.txt; probity play shop/counter --json < sold.txt | grep -o '"hash":"sha256:.\{16\}'; cp kept.rhai scripts/shop/counter.rhai; done
# A draft holds what was done and asks for the rest: what an item is called, and not its key. What is kept is what was played.
probity play shop/counter < saved.txt; cat tasks/shop/counter/sold.json tasks/shop/counter/sold.lock.json
probity show by_hand; probity replay by_hand
probity check sold > told; echo $?; grep -o 'error\[[a-z_]*\]' told | sort | uniq -c
# A dialogue that is saved before its end has failed, and a whole one is scored.
probity play sell_two_teapots < dialogue.txt > told; for run in left whole; do probity show $run; probity replay $run; done
# A draft of a dialogue keeps its turns and replies.
probity play sell_two_teapots --variant underspecification < again.txt; cat tasks/shop/counter/again.json
# Drafts stay in their environment.
for task in mine shop/counter/mine tasks/shop/counter/mine.json ../mine shop/other/mine Mine '' /etc/mine shop/counter/../mine; do echo "save task $task" | probity play shop/counter; done; find tasks -name '*mine*' | sort
