// The captures and the programs that made them are no part of the product's module: who installs it downloads none.
module github.com/gotriage/triage/testdata

go 1.26.0
