module wild/page-index

go 1.26

require wild/kit v0.0.0

require golang.org/x/net v0.45.0

replace wild/kit => ../../kit
