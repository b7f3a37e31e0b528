module wild/capture

go 1.26
