module example.net/lib

go 1.22
