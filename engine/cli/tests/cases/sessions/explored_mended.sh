# Each author's fault that was there before is found when its mend is taken out again: a stay that grows beyond its schema,
desk=travel_hospitality/front_desk; shipped $desk; rm -r tasks; edit environments/$desk.json 's/extra_nights <= 60"/extra_nights <= 60000"/' && probity check --all $desk | grep -o 'error\[call_[a-z_]*\]: [^:]*'
# by random calls alone a stay that begins on the last day,
desk=travel_hospitality/front_desk; shipped $desk; rm -r tasks; edit scripts/$desk.rhai 's/fn departure(booking) {/& if booking.arrival == "9999-12-31" { throw "beyond"; }/; s/let leave = add_days(arrival, nights);/let leave = departure(#{ arrival: arrival, nights: nights });/' && grep -c departure scripts/$desk.rhai; probity check --explore 3000 $desk | grep -o 'error\[call_[a-z_]*\]: [^:]*'
# and by calls of every tool a window that begins there.
desk=infrastructure_devops/platform; shipped $desk; rm -r tasks; edit scripts/$desk.rhai 's/fn window_start(day, start_time) {/& if day == "9999-12-31" { throw "beyond"; }/' && probity check --all $desk | grep -o 'error\[call_[a-z_]*\]: [^:]*'
