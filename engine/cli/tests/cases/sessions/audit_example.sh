# The example shows what an audit says.
probity audit -q --example
