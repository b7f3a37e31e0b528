// The captures are a module of their own, without packages, so that they stay out of the archive of the product's module.
module github.com/gotriage/triage/testdata/well

go 1.26
