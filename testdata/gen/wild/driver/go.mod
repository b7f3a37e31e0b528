module wild/driver

go 1.26
