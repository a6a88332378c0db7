# A run of format 1 is upgraded and replays; what it was lies beside it.
cp -r "$CASES/format1/." run
probity replay run
probity -q upgrade run
diff -r "$CASES/format1" run.old
probity -q replay run
probity show run
grep -o '"variant":"[a-z_]*"\|"final_state":"[a-z0-9:]*"\|"sr":{"status":"[a-z]*"\|"discipline":{[^}]*}' run.old/episodes.jsonl
grep -o '"final_state":"[a-z0-9:]*"' run/episodes.jsonl
probity -q report run > told && probity upgrade run
# A reply that was changed is not upgraded.
cp -r "$CASES/format1/." changed && edit changed/episodes.jsonl 's/Understood\./All is done./' && cp changed/episodes.jsonl kept
probity upgrade changed
cmp kept changed/episodes.jsonl
# A line that was cut off is told.
cp -r "$CASES/format1/." torn && printf '%s' "$(cat torn/episodes.jsonl)" > cut && cp cut torn/episodes.jsonl
probity upgrade torn
wc -l < torn.old/episodes.jsonl; wc -l < torn/episodes.jsonl
