module example.com/pack

go 1.26
