module coded

go 1.22
