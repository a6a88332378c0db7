# What is asked for wrongly is told with help.
probity -q new env shop/counter > wrote && mkdir mine && echo 'not a run' > mine/notes
probity run --agent noop --out mine
probity run --agent noop --agent noop --out a
probity run --agent genius --out b
probity run --agent noop --task no_such_task --out c
probity run --agent noop --task sell_two_teapots --task sell_two_teapotsx --out d
for flag in --trials --seed --max-messages --agent-timeout; do probity run --resume mine $flag 3 2>&1 | sed -n 1p; done
probity fly
# Users.
probity run --agent oracle --out u --user modle
probity run --agent oracle --out u --user model
probity run --agent oracle --out u --user contract --user-model m
probity run --agent oracle --out u --user contract --swap-turns
probity run --agent oracle --out u --user model --user-model m --user-base-url ftp://x
probity run --agent oracle --out u --user model --user-model m --user-base-url http://127.0.0.1:9/v1 --as 'user of x'
probity run --resume u --user contract
# Options of a suite.
probity run --agent oracle --out u --set attempts=2
# Judges.
probity judge
probity judge no/such/run
probity -q run --agent noop --variant ideal --out run > told
probity judge run
probity judge run --judge oracle
probity judge run --judge openai:
probity judge run --judge openai:a --judge openai:a
probity judge run --judge openai:a --tool-mode prompt
probity judge run --repeats 0
probity judge run --labels no/labels
probity judge calibrate --fault skip_read
probity judge calibrate --sample 0
# A second suite has data of its own.
probity run --suite tau2 --agent oracle --out u
