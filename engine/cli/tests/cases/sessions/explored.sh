# Random calls find a fault that was there before when its mend is taken out again, the same with any number of threads.
desk=travel_hospitality/front_desk; shipped $desk; edit environments/$desk.json 's/\.nights + args\.extra_nights <= 60"/.nights + args.extra_nights <= 60000"/'; for threads in 1 3; do RAYON_NUM_THREADS=$threads probity check $desk --explore 10000 > $threads.txt; echo $?; done; cmp 1.txt 3.txt; grep call_breaks_schema 1.txt
# A short way leads to it: two bookings are enough, or one where the state has a booking already.
desk=healthcare/clinic; shipped $desk; edit environments/$desk.json '/"code": "patient_busy"/{/"expr"/!N; s/"expr": "is_at_leisure([^)]*)"/"expr": "true"/}'; probity check healthcare --explore 20000 | grep -A 1 invariant_broken
# In what is shipped they find nothing.
RAYON_NUM_THREADS=3 probity --root "$REPO" check --json --explore 12000 | grep -E 'explored_calls|"code"'
mkdir four && cd four && shipped finance/bank healthcare/clinic infrastructure_devops/platform travel_hospitality/front_desk; for threads in 1 3; do RAYON_NUM_THREADS=$threads probity check --json --explore 3000 > $threads.json; echo $?; done; cmp 1.json 3.json
