# Who is away is told with the reason and what to do.
shipped finance/bank && probity -q run --agent oracle --agent fault:unknown_tool@mild --variant ideal --limit 2 --out run > told; for name in never twice busy; do cp -r run $name; done
probity judge run --judge openai:q $AWAY > told
: > other.jsonl; probity judge run --judge openai:q --cassette other.jsonl > told
probity judge calibrate --sample 1 --fault unknown_tool --judge openai:q $AWAY > told
# Who grades nothing is said, and which way of asking it was.
mock judge_never; probity judge never --judge openai:mock --base-url $URL > told
mock plain; probity judge never --judge openai:mock --base-url $URL --temperature 0.5 > told
# A judgement given twice counts once; asking puts the file in order.
mock plain; probity -q judge twice --judge openai:mock --base-url $URL > once.txt; cp twice/judgements.jsonl whole.jsonl; cat whole.jsonl whole.jsonl > twice/judgements.jsonl
probity judge twice > told; cmp told once.txt
probity report twice | tail -n 8
probity -q judge twice --judge openai:mock $AWAY > told; cmp whole.jsonl twice/judgements.jsonl
probity judge twice > told
# No file is read without end.
truncate -s 8388609 large.jsonl; for file in /dev/zero large.jsonl; do probity judge run --labels $file; probity compare run run --gate=$file; done
probity judge run --judge openai:q --cassette /dev/zero
rm -f run/judgements.jsonl && ln -s /dev/zero run/judgements.jsonl && probity judge run; rm run/judgements.jsonl
# A calibration keeps out of runs.
probity judge calibrate --sample 1 --fault unknown_tool --judge openai:q $AWAY --out run; test -e run/judgements.jsonl; echo $?
# A second writer is told what is busy.
flock busy/run.json -c "probity judge busy --judge openai:q $AWAY"
# Judges are calibrated by planted faults: the mock's discipline falls with refused calls, and nothing else does.
mock plain; probity judge calibrate --sample 4 --fault unknown_tool --fault misreports --judge openai:mock --base-url $URL --out kept | tee calibrated.txt
probity judge calibrate --sample 4 --fault unknown_tool --fault misreports --judge openai:mock $AWAY --out kept | cmp - calibrated.txt
probity judge calibrate --sample 4 --fault unknown_tool --fault misreports --judge openai:mock --cassette kept/judge-cassette.jsonl | cmp - calibrated.txt
probity judge calibrate --sample 1 --fault misreports@mild
