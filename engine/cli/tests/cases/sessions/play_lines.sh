# Lines of play are independent; what cannot be done with them is said.
probity -q new env shop/counter > wrote
probity play shop/counter < lines.txt
# A user speaks in turn, and a last reply ends it.
probity play sell_two_teapots --variant underspecification < turns.txt
