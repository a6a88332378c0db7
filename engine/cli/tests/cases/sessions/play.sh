# An environment is played with undo, redo and forks; the log is that of one line alone.
probity -q new env shop/counter > wrote
probity play shop/counter --size medium --seed 7 < environment.txt
# What was played is saved as a run and as a task.
probity play shop/counter < saved.txt
probity show kept
probity replay kept
probity score kept > told
echo 'save trace kept' | probity play shop/counter
# The draft can be read and played; what is left to do is what keeps it from passing.
probity check sold > told; echo $?; grep -o 'error\[[a-z_]*\]' told | sort -u
probity show sold | grep 'call 2'
cp tasks/shop/counter/sold.json sold.json; printf 'save task sold\nsave task ../sold\n' | probity play shop/counter
cmp sold.json tasks/shop/counter/sold.json
# An agent is played by hand and scored.
probity play sell_two_teapots --variant underspecification < agent.txt
probity replay played
# A user is played by hand, and the run replays what was typed; the agent has no plan for a second turn.
probity play sell_two_teapots --as user < user.txt
probity show talked
probity replay talked
printf 'One.\nTwo.\n' | probity play sell_two_teapots --as user --json | grep -o '"reason":"[a-z_]*"'
# What cannot be played says so.
probity play shop/conter
probity play sell_two_teapot
probity play shop/counter --as user
probity play sell_two_teapots --seed 3
probity play sell_two_teapots --agent noop
probity play sell_two_teapots --as user --agent orcale
probity show sell_two_teapots --browse
# Each answer is one line of JSON.
probity play shop/counter --json < json.txt
