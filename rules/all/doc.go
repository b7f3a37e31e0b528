// Package all holds the built-in rule set: it is the only package that imports every package of rules. Its tests run
// all rules over all fixtures in rules/testdata and hold docs/rules.md against the rules.
package all
