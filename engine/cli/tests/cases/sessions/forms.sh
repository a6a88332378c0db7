# Runs in every form of a provider have one digest and pass, and are played again from their cassettes.
probity run --list-agents | grep -o '[a-z]*:MODEL' | cut -d : -f 1 | tee forms
shipped finance/bank; PATIENCE='--attempts 2 --retry-wait 1 --request-timeout 3'; for form in $(cat forms); do (mock reasoning; probity -q run --agent $form:mock --as model --limit 6 --base-url $URL $PATIENCE --out $form > told; echo $?); probity -q run --agent $form:mock --as model --limit 6 --cassette $form/cassette.jsonl $PATIENCE --out $form.again > told; echo $?; cmp $form/episodes.jsonl $form.again/episodes.jsonl; grep -c '"sr":{"status":"scored","value":1.0' $form/episodes.jsonl; grep '"digest"' $form/report.json; done
# Another model is another request.
for form in $(cat forms); do probity -q run --agent $form:other --as model --limit 1 --cassette $form/cassette.jsonl --out $form.other > told 2>&1; echo $?; done
