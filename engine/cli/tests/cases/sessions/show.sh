# The failed stand first, with the goal, the calls that are missing, and values whole where that is asked for.
shipped travel_hospitality/front_desk && probity -q run --task late_move --variant ideal --agent oracle --agent fault:wrong_value --out run > told
probity show run
probity show run --full | grep -c ' items, first '
probity show run --level difficulty=hard --level variant=ideal --agent oracle | grep '^== '
probity show run --level variant=goal_switching
probity show run --level varient=ideal
probity show late_mo | sed -n 1,3p
# A record whose words were changed is told where.
edit run/episodes.jsonl 's/Your stay from 26 June/Your stay from 27 June/'; probity replay run
# A violation is shown once.
probity -q run --agent fault:swaps_order --variant ideal --out swapped > told; probity show swapped | grep -E '^== |_violated: '
