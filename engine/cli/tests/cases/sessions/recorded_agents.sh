# Recorded agents are named, and kept with the run: the source is no longer needed.
probity -q new env shop/counter > wrote
probity -q run --agent oracle --agent noop --variant ideal --out source > told
probity run --agent replay:source --as again --variant ideal --out a
probity run --agent replay:source#orcale --as again --variant ideal --out b
probity run --agent replay:source#oracle --as again --variant ideal --seed 5 --out c
ls
probity -q run --agent replay:source#oracle --as again --variant ideal --out again > told && cp again/episodes.jsonl whole.jsonl
rm -r source && printf '' > again/episodes.jsonl && probity -q run --resume again > told && cmp whole.jsonl again/episodes.jsonl
probity -q replay again
