# Tasks that wait for their environment are counted.
probity -q new env shop/counter > wrote && probity -q new env garden/shed > wrote
edit environments/shop/counter.json 's/"forbidden"/"forbiden"/'
probity check
edit environments/shop/counter.json 's/"forbiden"/"forbidden"/'
# Warnings can be denied.
edit tasks/shop/counter/sell_two_teapots.json '/^  "impatience_and_hostility": \[/,$d'
edit tasks/shop/counter/sell_two_teapots.json '$s/,$//'
printf ' }\n}\n' >> tasks/shop/counter/sell_two_teapots.json
probity check counter
probity check counter --deny-warnings > told; echo $?
probity check shed --deny-warnings
# Fields are listed when asked for.
probity check --all garden/shed > told; echo $?; sed 's|, [0-9]* calls in.*||' told
probity check --all --verbose garden/shed > told; echo $?; sed 's|, [0-9]* calls in.*||' told
# An outcome without calls is a refusal that is explained, and no bare turn.
mkdir refusal && cd refusal && cp -r "$CASES/base/." . && edit tasks/shop/counter/more_teapots.json '/^ "outcomes"/,/^ \],/s/^ \],/, {"name": "refused", "budget": 0, "oracle": [], "must_say": [["cannot"]], "replies": ["I cannot do that.", "No, I cannot do that."]}],/; s/"contradictory_constraints": {/&"accept": ["refused"], /' && probity check
