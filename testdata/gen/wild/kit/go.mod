module wild/kit

go 1.18
