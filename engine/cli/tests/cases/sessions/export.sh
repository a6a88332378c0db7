# What cannot be written is refused with a help line.
probity -q new env shop/counter > wrote && probity -q run --agent oracle --agent noop --out run > told && cp -r run full && cp run/run.json run.json
probity export otell run --out a.jsonl
probity export inspect run --out a.txt
probity export atif run --out a.json
probity export atif run --out full
probity export otel run --out no/such/a.jsonl
probity export otel run --out run/episodes.jsonl
probity export inspect run --out run/run.json
probity export otel run --out full/../run/new.jsonl
probity export atif run --out run/inputs/new/folder
probity export otel run --out a.jsonl --agent nobody
probity export otel run --out a.jsonl --level shape=round
probity export otel nowhere --out a.jsonl
cmp run.json run/run.json; ls; ls run; ls run/inputs | wc -l
# What a record says of itself is not believed.
edit full/episodes.jsonl '1s/"value":0.0/"value":1.0/' && probity export otel full --out doubted.jsonl
probity -q export otel run --out sound.jsonl > told && cmp doubted.jsonl sound.jsonl
# Nothing is overwritten, in no form; the same again is the same, and less is not.
for made in run.eval run.json run.jsonl spans.jsonl; do echo mine > own-$made; done; mkdir own-folder && echo mine > own-folder/mine
probity export inspect run --out own-run.eval
probity export inspect run --out own-run.json
probity export atif run --out own-run.jsonl
probity export atif run --out own-folder
probity export otel run --out own-spans.jsonl
cat own-run.eval own-run.json own-run.jsonl own-folder/mine own-spans.jsonl
probity -q export inspect run --out made.eval > told && cp made.eval kept && probity -q export inspect run --out made.eval > told && cmp kept made.eval
probity export inspect run --out made.eval --agent noop; cmp kept made.eval
probity -q export inspect run --out made.json > told && cp made.json kept && probity -q export inspect run --out made.json > told && cmp kept made.json
probity export inspect run --out made.json --agent noop; cmp kept made.json
probity -q export atif run --out made.jsonl > told && cp made.jsonl kept && probity -q export atif run --out made.jsonl > told && cmp kept made.jsonl
probity export atif run --out made.jsonl --agent noop; cmp kept made.jsonl
probity export otel run --out sound.jsonl --agent noop; cmp doubted.jsonl sound.jsonl
probity -q export atif run --out folder > told; ls folder | wc -l; ls -A | grep '^\.'
# Grades stand beside a run, and nobody is to think that it has none.
probity export otel run --out judged.jsonl
echo '{}' > run/judgements.jsonl && probity export otel run --out judged.jsonl
